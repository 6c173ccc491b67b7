import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, suite, test } from 'node:test';
import { emptyDraft } from '../../../../src/truncation/plan.ts';
import { parsePageMessage } from '../../../../src/wizard/protocol.ts';
import { WizardLink } from '../../../../src/wizard/page/wizardLink.ts';

suite('What the page says to its host', () => {
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

  test('is one edit for keys that follow each other, the last one', () => {
    link.edit(emptyDraft('d'));
    mock.timers.tick(100);
    link.edit(emptyDraft('da'));
    mock.timers.tick(100);
    assert.deepEqual(sent, []);
    mock.timers.tick(50);
    assert.deepEqual(sent, [{ type: 'edit', draft: emptyDraft('da') }]);
  });

  test('is the waiting edit before an intent, and that edit only once', () => {
    link.edit(emptyDraft('dataset'));
    assert.equal(link.hasWaitingEdit, true);
    link.send('dryRun');
    mock.timers.tick(1000);
    assert.deepEqual(sent, [{ type: 'edit', draft: emptyDraft('dataset') }, { type: 'dryRun' }]);
    assert.equal(link.hasWaitingEdit, false);
  });

  test('is no edit that the host has just replaced', () => {
    link.edit(emptyDraft('dataset'));
    link.forgetEdit();
    mock.timers.tick(1000);
    assert.deepEqual(sent, []);
  });

  test('is understood by the host as it is', () => {
    link.ready('Europe/Berlin', undefined);
    link.ready('Europe/Berlin', emptyDraft('dataset', 'datasetprofile'));
    link.edit(emptyDraft());
    link.send('execute');
    assert.equal(sent.length, 4);
    for (const message of sent) {
      // A webview's messages travel as JSON, which drops what is undefined.
      assert.ok(parsePageMessage(JSON.parse(JSON.stringify(message))));
    }
  });
});
