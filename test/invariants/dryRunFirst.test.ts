// 3. Only what was dry-run: what is sent is, but for its flag, the dry run that was shown, counted once more right
// before, and deletes no more than the user saw.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pick, seededRandom } from '../service/random.ts';
import { Driver } from './driver.ts';
import { HOUR, MINUTE, SECOND } from './durations.ts';
import type { GivenAnswer } from './editor/host.ts';
import type { Wizard } from './pages.ts';
import { countedRows, OPERATIONS, PROFILES, type SentTruncation } from './truncations.ts';
import type { Window } from './window.ts';

/** Age up to which a dry run may be confirmed, as the setting is by default. */
const OLDEST_SHOWN_MS = 10 * MINUTE;
/** Age up to which the repeated dry run may be when the request leaves. */
const OLDEST_REPEATED_MS = MINUTE;

/** Holds for every execution, however it came about. */
function assertOnlyDryRuns(driver: Driver): void {
  for (const execution of driver.executions()) {
    const yes = yesBefore(driver, execution);
    const dryRuns = dryRunsBefore(driver, execution);
    const shown = dryRuns.findLast(({ sentAs }) => sentAs < yes.requestsBefore);
    const repeated = dryRuns.findLast(({ sentAs }) => sentAs >= yes.requestsBefore);
    assert.ok(shown !== undefined && repeated !== undefined, 'without a dry run, or without its repetition');
    const [seen, counted] = [rowsToDelete(shown), rowsToDelete(repeated)];
    assert.ok(counted <= seen, `${counted} rows, and the user saw ${seen}`);
    const [, asked = ''] = /^Delete ([\d,]+) of/.exec(yes.question.message) ?? [];
    assert.equal(Number(asked.replaceAll(',', '')), seen + rowsOfOthers(driver, execution, yes), yes.question.message);
    assert.ok(yes.at - answeredAt(shown) <= OLDEST_SHOWN_MS, 'the dry run was too old');
    assert.ok(execution.request.at - answeredAt(repeated) <= OLDEST_REPEATED_MS, 'its repetition was too old');
  }
}

function yesBefore(driver: Driver, { request, sentAs }: SentTruncation): GivenAnswer {
  const yes = driver
    .answers()
    .findLast(
      ({ window, button, question, requestsBefore }) =>
        window === request.window &&
        button !== undefined &&
        question.message.startsWith('Delete') &&
        requestsBefore <= sentAs,
    );
  return yes ?? assert.fail('nobody said yes');
}

/** Answered dry runs of the same plan by the same window. */
function dryRunsBefore(driver: Driver, { plan, request, sentAs }: SentTruncation): readonly SentTruncation[] {
  return driver
    .truncations()
    .filter(
      (one) =>
        one.request.window === request.window &&
        one.sentAs < sentAs &&
        countedRows(one) !== undefined &&
        JSON.stringify(one.plan) === JSON.stringify({ ...plan, dryRun: true }),
    );
}

/** Rows to delete from the other indices of the same question, which shows one sum. */
function rowsOfOthers(driver: Driver, { plan, request }: SentTruncation, yes: GivenAnswer): number {
  const others = driver
    .truncations()
    .filter(
      (one) =>
        one.request.window === request.window &&
        one.sentAs < yes.requestsBefore &&
        one.plan.endTimeMillis === plan.endTimeMillis &&
        one.plan.aspect !== plan.aspect,
    );
  const isOfSeveral = / of \d+ indices from /.test(yes.question.message);
  const latest = new Map(others.map((one) => [one.plan.aspect, one] as const));
  return isOfSeveral ? [...latest.values()].reduce((sum, one) => sum + rowsToDelete(one), 0) : 0;
}

function rowsToDelete(dryRun: SentTruncation): number {
  return countedRows(dryRun)?.toDelete ?? assert.fail('a dry run without an answer');
}

function answeredAt({ request }: SentTruncation): number {
  return request.answeredAt ?? assert.fail('a dry run without an answer');
}

suite('What is sent was dry-run, shown, and dry-run again', () => {
  test('for one index', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.ask('truncate');
    await window.yes();
    await driver.passTime(MINUTE);
    assert.equal(driver.executions().length, 1);
    assertOnlyDryRuns(driver);
  });

  test('for several indices', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.ask('truncateSeveral');
    await window.yes();
    await driver.passTime(5 * MINUTE);
    assert.equal(driver.executions().length, 2);
    assertOnlyDryRuns(driver);
  });

  test('if the server takes long for the repetition', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.ask('truncate');
    driver.delayAnswer('"dryRun":true', 100 * SECOND);
    await window.yes();
    await driver.passTime(10 * MINUTE);
    assert.equal(driver.executions().length, 1);
    assertOnlyDryRuns(driver);
  });

  test('if rows of the second index were added meanwhile, for the first one', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.ask('truncateSeveral');
    await driver.addOldRows(1, PROFILES);
    await window.yes();
    await driver.passTime(5 * MINUTE);
    assert.deepEqual(
      driver.executions().map(({ plan }) => plan.aspect),
      [OPERATIONS.aspect],
    );
    assertOnlyDryRuns(driver);
  });
});

suite('Nothing is sent', () => {
  test('if rows were added while the question was open', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.ask('truncate');
    await driver.addOldRows();
    await window.yes();
    await driver.passTime(MINUTE);
    assert.deepEqual(driver.executions(), []);
  });

  for (const change of ['truncate', 'truncateSeveral'] as const) {
    test(`if the question to ${change} was open for more than ten minutes`, async (context) => {
      const { driver, window } = await Driver.connected(context);
      await window.ask(change);
      await driver.passTime(OLDEST_SHOWN_MS + SECOND);
      await window.yes();
      await driver.passTime(MINUTE);
      assert.deepEqual(driver.executions(), []);
    });
  }

  test('if the clock was set back meanwhile, so that ten minutes seem to be less', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.ask('truncate');
    await driver.passTime(OLDEST_SHOWN_MS + SECOND);
    driver.setClock(-OLDEST_SHOWN_MS);
    await window.yes();
    await driver.passTime(MINUTE);
    assert.deepEqual(driver.executions(), []);
  });

  test('if the network took more than a minute to connect after the repetition', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.ask('truncate');
    driver.delayConnectionOfChange(OLDEST_REPEATED_MS + SECOND);
    await window.yes();
    await driver.passTime(10 * MINUTE);
    assert.deepEqual(driver.executions(), []);
  });

  test('if the repetition fails', async (context) => {
    const { driver, window } = await Driver.connected(context);
    await window.ask('truncate');
    driver.server.faults.add({ fault: { kind: 'status', status: 403 }, match: '"dryRun":true', times: 'always' });
    await window.yes();
    await driver.passTime(10 * MINUTE);
    assert.deepEqual(driver.executions(), []);
  });

  test('if the plan was edited after the dry run', async (context) => {
    const { driver, window } = await Driver.connected(context);
    const wizard = await window.openWizard();
    await wizard.dryRun(365);
    await wizard.fill(300);
    await pressDeleteAndAgree(driver, window, wizard);
    assert.deepEqual(driver.executions(), []);
  });

  test('if the window was reloaded after the dry run', async (context) => {
    const { driver, window } = await Driver.connected(context);
    const wizard = await window.openWizard();
    await wizard.dryRun();
    const reloaded = await driver.reload(window);
    const restored = await reloaded.restoreWizard(wizard.state);
    await pressDeleteAndAgree(driver, reloaded, restored);
    assert.deepEqual(driver.executions(), []);
  });

  test('if the window crashed after the yes to the dry run, and its page is restored', async (context) => {
    const { driver, window } = await Driver.connected(context);
    const wizard = await window.openWizard();
    await wizard.dryRun();
    await wizard.ask();
    const { state } = wizard;
    await driver.passTime(SECOND);
    const next = await driver.crash(window);
    await pressDeleteAndAgree(driver, next, await next.restoreWizard(state));
    assert.deepEqual(driver.executions(), []);
  });
});

/** Says yes to every question that comes, if one comes. */
async function pressDeleteAndAgree(driver: Driver, window: Window, wizard: Wizard): Promise<void> {
  await wizard.pressDelete();
  for (let question = 0; question < 3; question++) {
    await window.yes();
  }
  await driver.passTime(MINUTE);
}

/** What happens in the random walks below. */
interface Walk {
  readonly driver: Driver;
  readonly window: Window;
  readonly other: Window;
  readonly wizard: Wizard;
  readonly random: () => number;
}
type Step = (through: Walk) => Promise<void> | void;

/** The way to a truncation. */
const STEPS: readonly Step[] = [
  ({ wizard }) => wizard.startOver(),
  ({ wizard }) => wizard.fill(365),
  ({ wizard }) => wizard.pressDryRun(),
  ({ wizard }) => wizard.pressDelete(),
  ({ window }) => window.yes(),
];

/** What comes in between. */
const DISTURBANCES: readonly Step[] = [
  ({ wizard, random }) => wizard.fill(pick(random, [300, 365, 400])),
  ({ wizard }) => wizard.pressDryRun(),
  ({ wizard }) => wizard.pressDelete(),
  ({ window }) => window.yes(),
  ({ window }) => window.escape(),
  ({ driver, random }) => driver.passTime(pick(random, [SECOND, 5 * MINUTE, OLDEST_SHOWN_MS + SECOND])),
  ({ driver }) => driver.addOldRows(),
  ({ driver }) => driver.delayAnswer('"dryRun":true', 50 * SECOND),
  ({ driver }) => driver.delayConnectionOfChange(50 * SECOND),
  ({ driver }) => driver.setClock(-HOUR),
  ({ other, random }) => other.setRole(pick(random, ['Development', 'Production'])),
  ({ driver, other }) => other.signIn(driver.issueToken()),
];

async function walk(through: Walk): Promise<void> {
  const { driver, random } = through;
  for (const step of STEPS) {
    if (random() < 0.3) {
      await pick(random, DISTURBANCES)(through);
    }
    await step(through);
  }
  await driver.passTime(MINUTE);
  await driver.addOldRows();
}

suite('Whatever a user does in whatever order, only what was dry-run is sent', () => {
  for (const seed of [1, 2]) {
    test(`with seed ${seed}`, async (context) => {
      const { driver, window } = await Driver.connected(context);
      const other = await driver.open();
      const wizard = await window.openWizard();
      const random = seededRandom(seed);
      for (let round = 0; round < 12; round++) {
        await walk({ driver, window, other, wizard, random });
      }
      assert.ok(driver.executions().length > 2, 'almost nothing was sent, so almost nothing was tested');

      assertOnlyDryRuns(driver);
    });
  }
});
