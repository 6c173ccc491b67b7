import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, suite, test } from 'node:test';
import { emptyDraft } from '../../../../../src/truncation/plan.ts';
import { parsePageMessage } from '../../../../../src/pages/truncation/protocol.ts';
import { WizardHostLink } from '../../../../../src/pages/truncation/page/wizardLink.ts';

suite('Messages of the page to its host', () => {
  let sent: unknown[];
  let link: WizardHostLink;

  beforeEach(() => {
    sent = [];
    link = new WizardHostLink({
      postMessage: (message) => sent.push(message),
      getState: () => undefined,
      setState: () => undefined,
    });
    mock.timers.enable({ apis: ['setTimeout'] });
  });

  afterEach(() => mock.timers.reset());

  test('send only the last of several quick edits', () => {
    link.sendEditLater(emptyDraft('d'));
    mock.timers.tick(100);
    link.sendEditLater(emptyDraft('da'));
    mock.timers.tick(100);
    assert.deepEqual(sent, []);
    mock.timers.tick(50);
    assert.deepEqual(sent, [{ type: 'edit', draft: emptyDraft('da') }]);
  });

  test('send a pending edit before an intent, and only once', () => {
    link.sendEditLater(emptyDraft('dataset'));
    assert.equal(link.hasWaitingEdit, true);
    link.sendIntent('dryRun');
    mock.timers.tick(1000);
    assert.deepEqual(sent, [{ type: 'edit', draft: emptyDraft('dataset') }, { type: 'dryRun' }]);
    assert.equal(link.hasWaitingEdit, false);
  });

  test('drop an edit that the host has replaced', () => {
    link.sendEditLater(emptyDraft('dataset'));
    link.forgetWaitingEdit();
    mock.timers.tick(1000);
    assert.deepEqual(sent, []);
  });

  test('are valid for the host', () => {
    link.announceReady('Europe/Berlin', undefined);
    link.announceReady('Europe/Berlin', emptyDraft('dataset', 'datasetprofile'));
    link.sendEditLater(emptyDraft());
    link.sendIntent('execute');
    assert.equal(sent.length, 4);
    for (const message of sent) {
      // A webview sends JSON, which drops undefined values.
      assert.ok(parsePageMessage(JSON.parse(JSON.stringify(message))));
    }
  });
});
