// 8. Production: no row is deleted, and no several tokens are revoked, before the name was typed.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ASKED } from './controls.ts';
import { Driver, type TestScope } from './driver.ts';
import { MINUTE } from './durations.ts';
import type { ChangeName, Window } from './window.ts';

/** What is to be typed for each change on production. */
const TYPED = {
  truncate: 'Staging dataset/operation',
  truncateSeveral: 'Staging',
  revokeSeveral: 'Staging',
} as const satisfies Partial<Record<ChangeName, string>>;

/** Answers to the question that don't agree. */
const WRONG: Readonly<Record<string, (window: Window) => Promise<void>>> = {
  'nothing was typed': type(''),
  'another name was typed': type('Production'),
  'a part of it was typed': type('Stag'),
  'it was typed in capitals': type('STAGING DATASET/OPERATION'),
  'the name of the index alone was typed': type('dataset/operation'),
  'the text was left by Escape': (window) => window.escape(),
};

function type(text: string): (window: Window) => Promise<void> {
  return (window) => window.reply(ASKED.typedText, text);
}

/** Says yes to all dialogs, after which nothing may have changed. */
async function assertUnchangedBy(driver: Driver, window: Window): Promise<void> {
  while (window.host.questions.length > 0) {
    await window.yes();
  }
  await driver.passTime(MINUTE);
  assert.deepEqual(driver.changes(), []);
}

for (const [change, text] of Object.entries(TYPED) as readonly (readonly [keyof typeof TYPED, string])[]) {
  suite(`On production, a yes to ${change} changes nothing`, () => {
    for (const [what, answer] of Object.entries(WRONG)) {
      test(`if ${what}`, async (context) => {
        const { driver, window } = await Driver.connected(context, { role: 'Production' });
        await window.press(change);
        await answer(window);
        await assertUnchangedBy(driver, window);
        await window.escape();
        await assertUnchangedBy(driver, window);
      });
    }

    test('if another window has just chosen Production', async (context) => {
      const { driver, window } = await Driver.connected(context);
      const other = await driver.open();
      await window.wholeTree();
      await other.setRole('Production');
      await window.press(change);
      assert.ok(window.textToType === undefined || window.textToType === text, 'it is asked as before');
      await assertUnchangedBy(driver, window);
    });

    test('but it is done once the text was typed', async (context) => {
      const { driver, window } = await Driver.connected(context, { role: 'Production' });
      await window.press(change);
      await window.reply(ASKED.typedText, text);
      await driver.passTime(MINUTE);
      assert.ok(driver.changes().length > 0);
    });
  });
}

for (const [pages, text, open] of [
  ['one index', 'dataset/operation', (window: Window) => window.openWizard()],
  ['several indices', 'Staging', (window: Window) => window.openOverview()],
] as const) {
  const reviewed = async (context: TestScope) => {
    const { driver, window } = await Driver.connected(context);
    const page = await open(window);
    await page.dryRun();
    return { driver, window, page };
  };

  suite(`Nothing is deleted from ${pages}`, () => {
    test('if another window chose Production after the dry run', async (context) => {
      const { driver, window, page } = await reviewed(context);
      await (await driver.open()).setRole('Production');
      await page.pressDelete();
      await assertUnchangedBy(driver, window);
    });

    test('before a text was typed at an address of this machine, where a tunnel may end', async (context) => {
      const { driver, window, page } = await reviewed(context);
      await page.pressDelete();
      assert.equal(window.textToType, text);
      await assertUnchangedBy(driver, window);
    });
  });
}
