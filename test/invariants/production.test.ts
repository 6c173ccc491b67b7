// 8. Production: no row is deleted, and no several tokens are revoked, before the name was typed.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Driver } from './driver.ts';
import { MINUTE } from './durations.ts';
import { OPERATIONS, PROFILES } from './truncations.ts';
import type { ChangeName, Window } from './window.ts';

/** What is to be typed for each change on production. */
const TYPED = {
  truncate: 'Staging dataset/operation',
  truncateSeveral: 'Staging',
  revokeSeveral: 'Staging',
} as const satisfies Partial<Record<ChangeName, string>>;
const CHANGES = Object.keys(TYPED) as readonly (keyof typeof TYPED)[];

const WRONG: Readonly<Record<string, string>> = {
  'nothing was typed': '',
  'another name was typed': 'Production',
  'a part of it was typed': 'Stag',
  'it was typed in capitals': 'STAGING DATASET/OPERATION',
  'the name of the index alone was typed': 'dataset/operation',
};

/** Says yes to all that is asked, as often as anything could be. */
async function agree(driver: Driver, window: Window): Promise<void> {
  for (let question = 0; question < 3 && window.host.questions.length > 0; question++) {
    await window.yes();
  }
  await driver.passTime(MINUTE);
}

function assertUnchanged(driver: Driver): void {
  assert.deepEqual(
    driver.changes().map(({ body }) => body),
    [],
  );
}

for (const change of CHANGES) {
  suite(`On production, a yes to ${change} changes nothing`, () => {
    for (const [what, text] of Object.entries(WRONG)) {
      test(`if ${what}`, async (context) => {
        const { driver, window } = await Driver.connected(context, { role: 'Production' });
        await window.press(change);
        await window.typeToConfirm(text);
        await agree(driver, window);
        assertUnchanged(driver);
        await window.escape();
        await agree(driver, window);
        assertUnchanged(driver);
      });
    }

    test('if the text was left by Escape', async (context) => {
      const { driver, window } = await Driver.connected(context, { role: 'Production' });
      await window.press(change);
      await window.escape();
      await agree(driver, window);
      assertUnchanged(driver);
    });

    test('if another window has just chosen Production', async (context) => {
      const { driver, window } = await Driver.connected(context, { role: 'Development' });
      const other = await driver.open();
      await window.wholeTree();
      await other.setRole('Production');
      await window.press(change);
      assert.ok(window.textToType === undefined || window.textToType === TYPED[change], 'it is asked as before');
      await agree(driver, window);
      assertUnchanged(driver);
    });
  });

  suite(`On production, ${change} is done`, () => {
    test('once the text was typed', async (context) => {
      const { driver, window } = await Driver.connected(context, { role: 'Production' });
      await window.press(change);
      await window.typeToConfirm(TYPED[change]);
      await driver.passTime(MINUTE);
      assert.ok(driver.changes().length > 0);
    });
  });
}

suite('If another window chose Production after the dry run, nothing is deleted', () => {
  test('from one index', async (context) => {
    const { driver, window } = await Driver.connected(context, { role: 'Development' });
    const wizard = await window.openWizard();
    await wizard.dryRun();
    await (await driver.open()).setRole('Production');
    await wizard.pressDelete();
    await agree(driver, window);
    assertUnchanged(driver);
  });

  test('from several indices', async (context) => {
    const { driver, window } = await Driver.connected(context, { role: 'Development' });
    const overview = await window.openOverview();
    await overview.dryRun([OPERATIONS, PROFILES]);
    await (await driver.open()).setRole('Production');
    await overview.pressDelete();
    await agree(driver, window);
    assertUnchanged(driver);
  });
});

suite('At an address of this machine, where a tunnel may end', () => {
  for (const [change, text] of Object.entries({ truncate: 'dataset/operation', truncateSeveral: 'Staging' })) {
    test(`${change} takes a typed text in development, too`, async (context) => {
      const { driver, window } = await Driver.connected(context, { role: 'Development' });
      await window.press(change as ChangeName);
      assert.equal(window.textToType, text);
      await agree(driver, window);
      assertUnchanged(driver);
    });
  }
});
