// 1. Once: whatever windows are open and whatever is pressed, a server gets one request to delete, and one for each
// change of a token.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Driver } from './driver.ts';
import { OPERATIONS } from './truncations.ts';
import type { ChangeName } from './window.ts';

suite('A truncation is sent once', () => {
  test('if two windows on one folder ask about the same index, and both get a yes', async (context) => {
    const { driver, window: first } = await Driver.connected(context);
    const second = await driver.open();
    for (const window of [first, second]) {
      await window.ask('truncate');
    }
    await Promise.all([first.yes(), second.yes()]);
    await driver.passTime(120_000);
    assert.ok(driver.executions().length <= 1, `${driver.executions().length} requests to delete`);
    assert.equal(driver.arrived('"dryRun":false').length, driver.executions().length);
  });

  test('if a window restores a page whose question is open in another one', async (context) => {
    const { driver, window: first } = await Driver.connected(context);
    const wizard = await first.openWizard();
    await wizard.dryRun();
    await wizard.ask();
    // VS Code has stored the connection by then.
    await driver.passTime(1_000);
    const second = await driver.open();
    const same = await second.restoreWizard(wizard.state);
    await same.send({ type: 'dryRun' });
    await driver.until('a report', () => same.phase === 'reviewed');
    await same.ask();
    await Promise.all([first.yes(), second.yes()]);
    await driver.passTime(120_000);
    assert.ok(driver.executions().length <= 1, `${driver.executions().length} requests to delete`);
  });

  test('if one window truncates an index alone, and another one among several', async (context) => {
    const { driver, window: first } = await Driver.connected(context);
    const second = await driver.open();
    await first.ask('truncate');
    await second.ask('truncateSeveral');
    await Promise.all([first.yes(), second.yes()]);
    await driver.passTime(300_000);
    const ofIndex = driver.executions().filter(({ plan }) => plan.aspect === OPERATIONS.aspect);
    assert.ok(ofIndex.length <= 1, `${ofIndex.length} requests to delete`);
  });

  test('and is on disk before its first byte leaves', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.ask('truncate');
    await window.yes();
    const [execution, ...others] = await driver.until('the request', () => {
      const found = driver.executions();
      return found.length > 0 && found;
    });
    assert.deepEqual(others, []);
    const { request, plan } = execution ?? assert.fail();
    const written = [...request.filesBefore.values()].filter(
      (text) => text.includes(`"endTimeMillis":${plan.endTimeMillis}`) && text.includes('"kind":"sent"'),
    );
    assert.equal(written.length, 1, 'no file has what is about to be sent');
  });

  for (const status of [408, 421, 425, 503]) {
    test(`if the server answers it with ${status}`, async (context) => {
      const { driver, window } = await Driver.connected(context);
      driver.server.faults.add({ fault: { kind: 'status', status }, match: '"dryRun":false', times: 'always' });
      await window.ask('truncate');
      await window.yes();
      await driver.passTime(120_000);
      assert.equal(driver.arrived('"dryRun":false').length, 1);
    });
  }
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
      await driver.passTime(600_000);
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
    await driver.passTime(60_000);
    assert.match(window.told, /an access token that already existed/);
    assert.equal(window.isAsked, false);
    assert.deepEqual(driver.arrived('revokeAccessToken'), []);
  });

  for (const [change, requests] of CHANGES) {
    test(`${change}: if its yes is pressed twice`, async (context) => {
      const { driver, window } = await Driver.connected(context);
      await window.ask(change);
      await window.yesTwice();
      await driver.passTime(60_000);
      const sent = driver.arrived('mutation');
      assert.ok(sent.length >= 1 && sent.length <= requests, `${sent.length} requests`);
      assert.equal(new Set(sent).size, sent.length, 'one was repeated');
    });
  }
});
