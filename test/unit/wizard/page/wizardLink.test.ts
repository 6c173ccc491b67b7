import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, suite, test } from 'node:test';
import { emptyDraft } from '../../../../src/truncation/plan.ts';
import { parsePageMessage } from '../../../../src/wizard/protocol.ts';
import { WizardLink } from '../../../../src/wizard/page/wizardLink.ts';

suite('Messages of the page to its host', () => {
  let sent: unknown[];
  let link: WizardLink;

  beforeEach(() => {
    sent = [];
    link = new WizardLink({
      postMessage: (message) => sent.push(message),
      getState: () => undefined,
      setState: () => undefined,
    });
    mock.timers.enable({ apis: ['setTimeout'] });
  });

  afterEach(() => mock.timers.reset());

  test('send only the last of several quick edits', () => {
    link.edit(emptyDraft('d'));
    mock.timers.tick(100);
    link.edit(emptyDraft('da'));
    mock.timers.tick(100);
    assert.deepEqual(sent, []);
    mock.timers.tick(50);
    assert.deepEqual(sent, [{ type: 'edit', draft: emptyDraft('da') }]);
  });

  test('send a pending edit before an intent, and only once', () => {
    link.edit(emptyDraft('dataset'));
    assert.equal(link.hasWaitingEdit, true);
    link.send('dryRun');
    mock.timers.tick(1000);
    assert.deepEqual(sent, [{ type: 'edit', draft: emptyDraft('dataset') }, { type: 'dryRun' }]);
    assert.equal(link.hasWaitingEdit, false);
  });

  test('drop an edit that the host has replaced', () => {
    link.edit(emptyDraft('dataset'));
    link.forgetEdit();
    mock.timers.tick(1000);
    assert.deepEqual(sent, []);
  });

  test('are valid for the host', () => {
    link.ready('Europe/Berlin', undefined);
    link.ready('Europe/Berlin', emptyDraft('dataset', 'datasetprofile'));
    link.edit(emptyDraft());
    link.send('execute');
    assert.equal(sent.length, 4);
    for (const message of sent) {
      // A webview sends JSON, which drops undefined values.
      assert.ok(parsePageMessage(JSON.parse(JSON.stringify(message))));
    }
  });
});
