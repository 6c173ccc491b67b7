// 2. Changed since: a yes to a question about another connection, plan or page than there is now sends nothing.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Driver } from './driver.ts';
import { OPERATIONS } from './truncations.ts';
import type { ChangeName, Role, Window } from './window.ts';

const CHANGES: readonly ChangeName[] = [
  'truncate',
  'truncateSeveral',
  'create',
  'revoke',
  'revokeSeveral',
  'rotate',
  'rotateOwn',
];

/** Changes made by another window while the question is open. */
const MEANWHILE: Readonly<Record<string, (window: Window, driver: Driver, elsewhere: Driver) => Promise<void>>> = {
  'its role became stricter': (window) => window.setRole('Production'),
  'its role became laxer': (window) => window.setRole('Development'),
  'it became read-only': (window) => window.setRole('Read-only'),
  'it signed in with another token': (window, driver) => window.signIn(driver.issueToken()),
  'it signed in as another user': (window) => window.signInAs('operator'),
  'it was signed out': (window) => window.signOut(),
  'its address changed': (window, _driver, elsewhere) =>
    window.changeAddress(elsewhere.server.url, elsewhere.issueToken()),
  'it was removed': (window) => window.removeConnection(),
};

/** VS Code passes its storage on to other windows after 100 ms, and secrets at once. Files are read again. */
const WHEN = { 'at once': 0, 'a second later': 1_000 } as const;

const REASON = /nothing was sent|Nothing was deleted|has changed since|read-only|was signed out|was removed/i;

for (const change of CHANGES) {
  suite(`A yes to ${change} sends nothing and says why, or asks again`, () => {
    for (const [what, meanwhile] of Object.entries(MEANWHILE)) {
      for (const [when, millis] of Object.entries(WHEN)) {
        test(`${when} if ${what}`, async (context) => {
          const { driver, elsewhere, asking, other } = await twoWindows(context, what);
          await asking.ask(change);
          await meanwhile(other, driver, elsewhere);
          await driver.passTime(millis);
          const before = asking.told;
          await asking.yes();
          await driver.passTime(30_000);
          assertNothingChanged(driver, elsewhere);
          assert.ok(asking.isAsked || asking.told !== before || REASON.test(asking.told), 'it says nothing');
        });
      }
    }
  });
}

for (const change of ['truncate', 'create', 'revoke'] as const) {
  suite(`A ${change} that is connecting sends nothing and says why, or asks again`, () => {
    for (const [what, meanwhile] of Object.entries(MEANWHILE)) {
      test(`if ${what}`, async (context) => {
        const { driver, elsewhere, asking, other } = await twoWindows(context, what);
        await asking.ask(change);
        driver.delayConnectionOfChange(20_000);
        await asking.yes();
        await meanwhile(other, driver, elsewhere);
        await driver.passTime(60_000);
        assertNothingChanged(driver, elsewhere);
        assert.ok(asking.isAsked || REASON.test(asking.told), `it says ${asking.told}`);
      });
    }
  });
}

/** One that asks, and one in which something changes. */
async function twoWindows(
  context: Parameters<typeof Driver.start>[0],
  what: string,
): Promise<{
  readonly driver: Driver;
  readonly elsewhere: Driver;
  readonly asking: Window;
  readonly other: Window;
}> {
  const driver = await Driver.start(context);
  const elsewhere = await Driver.start(context);
  const asking = await driver.open();
  const role: Role = what.includes('laxer') ? 'Production' : 'Development';
  await asking.connect({ role });
  return { driver, elsewhere, asking, other: await driver.open() };
}

function assertNothingChanged(driver: Driver, elsewhere: Driver): void {
  assert.deepEqual(
    driver.changes().map(({ body }) => body),
    [],
  );
  assert.deepEqual(elsewhere.arrived('mutation'), []);
}

suite('A yes to a truncation sends nothing', () => {
  test('if its plan changed', async (context) => {
    const { driver, window } = await Driver.connected(context);
    const wizard = await window.openWizard(OPERATIONS);
    await wizard.dryRun(365);
    await wizard.ask();
    await wizard.fill(100);
    await window.yes();
    await driver.passTime(30_000);
    assert.equal(driver.executions().length, 0);
  });

  test('if its page was closed', async (context) => {
    const { driver, window } = await Driver.connected(context);
    const wizard = await window.openWizard(OPERATIONS);
    await wizard.dryRun();
    await wizard.ask();
    wizard.close();
    await window.yes();
    await driver.passTime(30_000);
    assert.equal(driver.executions().length, 0);
  });
});
