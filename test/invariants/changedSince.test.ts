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
