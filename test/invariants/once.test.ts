// 1. Once: whatever windows are open and whatever is pressed, a server gets one request to delete, and one for each
// change of a token.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { COMMANDS } from '../../src/manifest.ts';
import { Driver } from './driver.ts';
import { HOUR, MINUTE, SECOND } from './durations.ts';
import { isOf, OPERATIONS } from './truncations.ts';
import type { ChangeName, Window } from './window.ts';

/** Ways in which a second window comes to the question that is open in the first one. */
const SECOND_WINDOW: Readonly<Record<string, (first: Window, open: () => Promise<Window>) => Promise<Window>>> = {
  'asks about the same index': async (first, open) => {
    const second = await open();
    await first.ask('truncate');
    await second.ask('truncate');
    return second;
  },
  'asks about it among several': async (first, open) => {
    const second = await open();
    await first.ask('truncate');
    await second.ask('truncateSeveral');
    return second;
  },
  'restores its page': async (first, open) => {
    const { state } = await first.askToTruncate();
    const second = await open();
    const same = await second.restoreWizard(state);
    await same.dryRun();
    await same.pressDelete();
    await second.toLastQuestion(/^Delete /);
    return second;
  },
};

suite('A truncation is sent once', () => {
  for (const [what, comes] of Object.entries(SECOND_WINDOW)) {
    test(`if another window ${what}, and both get a yes`, async (context) => {
      const { driver, window } = await Driver.connected(context);
      const other = await comes(window, () => driver.open());
      await Promise.all([window.yes(), other.yes()]);
      await driver.passTime(5 * MINUTE);
      const ofIndex = driver.executions().filter(isOf(OPERATIONS));
      assert.ok(ofIndex.length <= 1, `${ofIndex.length} requests to delete`);
      assert.equal(driver.arrived('"dryRun":false').length, driver.executions().length);
    });
  }

  test('and is on disk before its first byte leaves', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.do('truncate');
    const { request, plan } = await driver.execution();
    const written = [...request.filesBefore.values()].filter(
      (text) => text.includes(`"endTimeMillis":${plan.endTimeMillis}`) && text.includes('"kind":"sent"'),
    );
    assert.equal(written.length, 1, 'no file has what is about to be sent');
  });
});

/** Changes of tokens, and how many requests each makes. */
const CHANGES: readonly (readonly [ChangeName, number])[] = [
  ['create', 1],
  ['revoke', 1],
  ['revokeSeveral', 3],
  ['rotate', 1],
  ['rotateOwn', 2],
];
suite('A change of tokens is sent once', () => {
  for (const [change, requests] of CHANGES) {
    test(`${change}: with each answer lost`, async (context) => {
      const { driver, window } = await Driver.connected(context);
      await window.ask(change);
      driver.server.faults.add({ fault: { kind: 'cutAfter' }, match: 'mutation', times: 'always' });
      await window.yes();
      await driver.passTime(HOUR);
      const sent = driver.arrived('mutation');
      assert.ok(sent.length >= 1 && sent.length <= requests, `${sent.length} requests`);
      assert.equal(new Set(sent).size, sent.length, 'one was repeated');
    });
  }

  test('rotate: and nothing is revoked later if the answer names a token from before, as of a cache', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.ask('rotate');
    const [{ id } = assert.fail('no token')] = driver.server.tokens();
    const created = { accessToken: 'not.the-one.of-this', metadata: { id, name: 'x', description: null } };
    const body = JSON.stringify({ data: { createAccessToken: created } });
    const fault = { kind: 'status', status: 200, body, contentType: 'application/json' } as const;
    driver.server.faults.add({ fault, match: 'createAccessToken' });
    await window.yes();
    await driver.passTime(60 * SECOND);
    assert.match(window.told, /returned an existing access token/);
    assert.equal(window.asking, undefined);
    assert.deepEqual(driver.arrived('revokeAccessToken'), []);
  });
});

suite('The token of a terminal', () => {
  test('is revoked, once, if no terminal can be opened with it', async (context) => {
    // This editor has no terminals.
    const { driver, window } = await Driver.connected(context);
    window.run(COMMANDS.tokenOpenTerminal, await window.row('Staging'));
    await window.toLastQuestion(/^Open a terminal with an access token for "/);
    await window.yes();
    await driver.passTime(MINUTE);
    assert.deepEqual(
      [driver.arrived('createAccessToken').length, driver.arrived('revokeAccessToken').length],
      [1, 1],
      window.told,
    );
  });
});
