// 3. Only what was dry-run: what is sent is, but for its flag, the dry run that was shown, counted once more right
// before, and deletes no more than the user saw.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pick, seededRandom } from '../service/random.ts';
import { Driver, type Connected } from './driver.ts';
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
    const [, asked = ''] = /^Delete ([\d,]+) of/.exec(yes.question) ?? [];
    assert.equal(Number(asked.replaceAll(',', '')), seen + rowsOfOthers(driver, execution, yes), yes.question);
    assert.ok(yes.at - answeredAt(shown) <= OLDEST_SHOWN_MS, 'the dry run was too old');
    assert.ok(execution.request.at - answeredAt(repeated) <= OLDEST_REPEATED_MS, 'its repetition was too old');
  }
}

function yesBefore(driver: Driver, { request, sentAs }: SentTruncation): GivenAnswer {
  const yes = driver
    .answers()
    .findLast(
      ({ window, answer, question, requestsBefore }) =>
        window === request.window && answer !== undefined && question.startsWith('Delete') && requestsBefore <= sentAs,
    );
  return yes ?? assert.fail('nobody said yes');
}

/** Answered dry runs of the same plan by the same window. */
function dryRunsBefore(driver: Driver, { plan, request, sentAs }: SentTruncation): readonly SentTruncation[] {
  const isOfPlan = (one: SentTruncation): boolean =>
    countedRows(one) !== undefined && JSON.stringify(one.plan) === JSON.stringify({ ...plan, dryRun: true });
  return sentBefore(driver, sentAs, request.window).filter(isOfPlan);
}

/** Rows to delete from the other indices of the same question, which shows one sum. */
function rowsOfOthers(driver: Driver, { plan, request }: SentTruncation, yes: GivenAnswer): number {
  const others = sentBefore(driver, yes.requestsBefore, request.window).filter(
    (one) => one.plan.endTimeMillis === plan.endTimeMillis && one.plan.aspect !== plan.aspect,
  );
  const isOfSeveral = / of \d+ indices from /.test(yes.question);
  const latest = new Map(others.map((one) => [one.plan.aspect, one] as const));
  return isOfSeveral ? [...latest.values()].reduce((sum, one) => sum + rowsToDelete(one), 0) : 0;
}

/** What a window sent before a request, oldest first. */
function sentBefore(driver: Driver, before: number, window: number): readonly SentTruncation[] {
  return driver.truncations().filter(({ request, sentAs }) => request.window === window && sentAs < before);
}

function rowsToDelete(dryRun: SentTruncation): number {
  return countedRows(dryRun)?.toDelete ?? assert.fail('a dry run without an answer');
}

function answeredAt({ request }: SentTruncation): number {
  return request.answeredAt ?? assert.fail('a dry run without an answer');
}

/** The change, what happens while its question is open, and from how many indices rows are deleted then. */
type Case = readonly ['truncate' | 'truncateSeveral', (asking: Connected) => unknown, 0 | 1 | 2];

const tenMinutes = ({ driver }: Connected): Promise<void> => driver.passTime(OLDEST_SHOWN_MS + SECOND);

const WHILE_ASKED: Readonly<Record<string, Case>> = {
  'nothing happens, for one index': ['truncate', () => undefined, 1],
  'nothing happens, for several indices': ['truncateSeveral', () => undefined, 2],
  'the server begins to take long to count': [
    'truncate',
    ({ driver }) => driver.delayAnswer('"dryRun":true', 100 * SECOND),
    1,
  ],
  'rows are added': ['truncate', ({ driver }) => driver.addOldRow(), 0],
  'rows are added to the second index': ['truncateSeveral', ({ driver }) => driver.addOldRow(PROFILES), 1],
  'ten minutes go by, for one index': ['truncate', tenMinutes, 0],
  'ten minutes go by, for several indices': ['truncateSeveral', tenMinutes, 0],
  'ten minutes go by that seem to be less, since the clock is set back': [
    'truncate',
    async (asking) => {
      await tenMinutes(asking);
      asking.driver.setClock(-OLDEST_SHOWN_MS);
    },
    0,
  ],
  'the network begins to take more than a minute to connect': [
    'truncate',
    ({ driver }) => driver.delayConnectionOfChange(OLDEST_REPEATED_MS + SECOND),
    0,
  ],
  'the server begins to refuse to count': [
    'truncate',
    ({ driver: { server } }) =>
      server.faults.add({ fault: { kind: 'status', status: 403 }, match: '"dryRun":true', times: 'always' }),
    0,
  ],
};

suite('Only what was dry-run, shown, and dry-run again is sent if, while the question is open,', () => {
  for (const [what, [change, meanwhile, indices]] of Object.entries(WHILE_ASKED)) {
    test(what, async (context) => {
      const { driver, window } = await Driver.connected(context);
      await window.ask(change);
      await meanwhile({ driver, window });
      await window.yes();
      await driver.passTime(10 * MINUTE);
      assert.deepEqual(
        driver.executions().map(({ plan }) => plan.aspect),
        [OPERATIONS.aspect, PROFILES.aspect].slice(0, indices),
      );
      assertOnlyDryRuns(driver);
    });
  }
});

/** What happens after the dry run. @returns where the button is pressed then. */
const AFTER_DRY_RUN: Readonly<
  Record<string, (asking: Connected, wizard: Wizard) => Promise<readonly [Window, Wizard]>>
> = {
  'the user went back to the fields': async ({ window }, wizard) => {
    await wizard.send({ type: 'goBack' });
    return [window, wizard];
  },
  'the window was reloaded': async ({ driver, window }, wizard) => {
    const next = await driver.reload(window);
    return [next, await next.restoreWizard(wizard.state)];
  },
  'the window crashed while the question was open, and its page is restored': async ({ driver, window }, wizard) => {
    await wizard.pressDelete();
    await window.toLastQuestion(/^Delete /);
    const { state } = wizard;
    await driver.passTime(SECOND);
    const next = await driver.crash(window);
    return [next, await next.restoreWizard(state)];
  },
};

suite('Nothing is sent, whatever is answered, if after the dry run', () => {
  for (const [what, goOn] of Object.entries(AFTER_DRY_RUN)) {
    test(what, async (context) => {
      const { driver, window } = await Driver.connected(context);
      const shown = await window.openWizard();
      await shown.dryRun();
      const [next, wizard] = await goOn({ driver, window }, shown);
      await wizard.pressDelete();
      await next.agree();
      await driver.passTime(MINUTE);
      assert.deepEqual(driver.executions(), []);
    });
  }
});

test('A restored page asks nothing of the server until the user does, then for the sizes too', async (context) => {
  const { driver, window } = await Driver.connected(context);
  const wizard = await window.openWizard();
  await wizard.dryRun();
  const { state } = wizard;
  const next = await driver.reload(window);
  const restored = await next.restoreWizard(state);
  await driver.passTime(MINUTE);
  const asked = () => driver.machine.requests.filter((request) => request.window === next.host.id);
  assert.deepEqual(asked(), []);
  await restored.dryRun();
  await driver.until('the sizes', () => asked().some(({ url }) => url.includes('getIndexSizes')), MINUTE);
});

/** What happens in the random walks below. */
interface Walk extends Connected {
  readonly other: Window;
  readonly wizard: Wizard;
  readonly random: () => number;
}
type Step = (through: Walk) => Promise<void> | void;

/** The way to a truncation. */
const STEPS: readonly Step[] = [
  ({ wizard }) => wizard.send({ type: 'startOver' }),
  ({ wizard }) => wizard.startDryRun(365),
  ({ wizard }) => wizard.pressDelete(),
  ({ window }) => window.yes(),
];

/** What comes in between. */
const DISTURBANCES: readonly Step[] = [
  ({ wizard, random }) => wizard.startDryRun(pick(random, [300, 365, 400])),
  ({ wizard }) => wizard.send({ type: 'goBack' }),
  ({ wizard }) => wizard.pressDelete(),
  ({ window }) => window.yes(),
  ({ window }) => window.escape(),
  ({ driver, random }) => driver.passTime(pick(random, [SECOND, 5 * MINUTE, OLDEST_SHOWN_MS + SECOND])),
  ({ driver }) => driver.addOldRow(),
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
  await driver.addOldRow();
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
