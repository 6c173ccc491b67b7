// 2. Changed since: a yes to a question about another connection, plan or page than there is now sends nothing.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Driver } from './driver.ts';
import { MINUTE, SECOND } from './durations.ts';
import type { Wizard } from './pages.ts';
import type { ChangeName, Window } from './window.ts';

/** Changes made by another window while the question is open. */
const MEANWHILE: Readonly<Record<string, (window: Window, driver: Driver) => Promise<void>>> = {
  'its role became stricter': (window) => window.setRole('Production'),
  'its role became laxer': (window) => window.setRole('Development'),
  'it became read-only': (window) => window.setRole('Read-only'),
  'it signed in with another token': (window, driver) => window.signIn(driver.issueToken()),
  'it signed in as another user': (window, driver) => window.signIn(driver.issueToken('operator')),
  'it was signed out': (window) => window.do('signOut'),
  'its address changed': async (window, driver) => {
    const elsewhere = await driver.startAnother();
    await window.changeAddress(elsewhere.url, driver.issueToken('admin', elsewhere));
  },
  'it was removed': (window) => window.do('remove'),
};

interface Scene {
  readonly driver: Driver;
  readonly asking: Window;
  readonly meanwhile: () => Promise<void>;
}

/** VS Code passes its storage on to other windows after 100 ms, and secrets at once. Files are read again. */
const WHEN: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  'just before': async ({ asking, meanwhile }) => {
    await meanwhile();
    await asking.yes();
  },
  'a second before': async ({ driver, asking, meanwhile }) => {
    await meanwhile();
    await driver.passTime(SECOND);
    await asking.yes();
  },
  'while the request was connecting': async ({ driver, asking, meanwhile }) => {
    driver.delayConnectionOfChange(20 * SECOND);
    await asking.yes();
    await meanwhile();
  },
};

const REASON = /nothing was sent|Nothing was deleted|has changed since|read-only|was signed out|was removed/i;

const CHANGES: readonly ChangeName[] = [
  'truncate',
  'truncateSeveral',
  'create',
  'revoke',
  'revokeSeveral',
  'rotate',
  'rotateOwn',
];

for (const change of CHANGES) {
  suite(`A yes to ${change} sends nothing and says why, or asks again`, () => {
    for (const [what, changes] of Object.entries(MEANWHILE)) {
      for (const [when, answer] of Object.entries(WHEN)) {
        test(`if ${what} ${when}`, async (context) => {
          const driver = await Driver.start(context, { rows: 200 });
          const asking = await driver.open();
          await asking.connect({ role: what.includes('laxer') ? 'Production' : 'Development' });
          const other = await driver.open();
          await asking.ask(change);
          const before = asking.told;
          await answer({ driver, asking, meanwhile: () => changes(other, driver) });
          await driver.passTime(MINUTE);
          assert.deepEqual(driver.changes(), []);
          const says = asking.told.replace(before, '');
          assert.ok(asking.asking !== undefined || REASON.test(says), `it says ${says}`);
          // A page shows which one, until it closes.
          if (!change.startsWith('truncate')) {
            assert.doesNotMatch(says, /^(?:The|This) connection/m, 'it says which connection');
          }
        });
      }
    }
  });
}

const OF_PLAN: Readonly<Record<string, (wizard: Wizard) => unknown>> = {
  'its plan changed': (wizard) => wizard.startDryRun(100),
  'its page was closed': ({ panel }) => panel.dispose(),
};

suite('A yes to a truncation sends nothing', () => {
  for (const [what, changes] of Object.entries(OF_PLAN)) {
    test(`if ${what}`, async (context) => {
      const { driver, window } = await Driver.connected(context);
      const wizard = await window.askToTruncate();
      await changes(wizard);
      await window.yes();
      await driver.passTime(MINUTE);
      assert.deepEqual(driver.executions(), []);
    });
  }
});

suite('The new token of a rotation is offered, and not signed in with', () => {
  test('if another window signs in while it is tested', async (context) => {
    const { driver, window } = await Driver.connected(context);
    const other = await driver.open();
    await window.ask('rotateOwn');
    driver.delayAnswer('query me', 20 * SECOND);
    await window.yes();
    await other.signIn(driver.issueToken());
    await driver.passTime(MINUTE);
    assert.match(window.notices.join(), /wasn't fully rotated: The connection was changed or removed in the meantime/);
    assert.match(window.asking ?? '', /^The access token ".+" was created on/);
    assert.deepEqual(driver.arrived('revokeAccessToken'), []);
  });

  test('if another window signs out while it is tested, after which it is held no longer than its dialog is open', async (context) => {
    const { driver, window } = await Driver.connected(context);
    const other = await driver.open();
    await window.ask('rotateOwn');
    driver.delayAnswer('query me', 20 * SECOND);
    await window.yes();
    await other.do('signOut');
    await driver.passTime(MINUTE);
    assert.match(window.asking ?? '', /^The access token ".+" was created on/);
    await window.escape();
    assert.match(window.asking ?? '', /^Discard the access token ".+" from ".+" without copying it/);
  });

  test('if the server takes it for another user’s', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.ask('rotateOwn');
    const platformPrivileges = { generatePersonalAccessTokens: true, manageTokens: true };
    const me = { corpUser: { urn: 'urn:li:corpuser:operator' }, platformPrivileges };
    const body = JSON.stringify({
      data: { me, appConfig: { appVersion: 'v1.6.0', authConfig: { tokenAuthEnabled: true } } },
    });
    driver.server.faults.add({
      fault: { kind: 'status', status: 200, body, contentType: 'application/json' },
      match: 'query me',
    });
    await window.yes();
    await driver.passTime(MINUTE);
    assert.match(window.notices.join(), /wasn't fully rotated: The token belongs to operator, not to admin/);
    assert.match(window.asking ?? '', /^The access token ".+" was created on/);
    assert.deepEqual(driver.arrived('revokeAccessToken'), []);
  });
});
