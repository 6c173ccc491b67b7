// 9. Intents: a page says what its user pressed and typed; no message of it, real or forged, does more than a button.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { anything, constantFrom, dictionary, oneof, sample, tuple, type Arbitrary } from 'fast-check';
import { Driver, type Connected, type TestScope } from './driver.ts';
import { MINUTE, SECOND } from './durations.ts';
import { CLOSING, forgedMessages, overviewMessages, wizardMessages, type Message } from './messages.ts';
import type { Overview, Wizard } from './pages.ts';
import { isOf, OPERATIONS, PROFILES } from './truncations.ts';

/** All that the product asks a server for. */
const USED_PATHS =
  /^\/(config|api\/gms\/config|api\/graphql|operations\?action=(truncateTimeseriesAspect|getIndexSizes|getEsTaskStatus))$/;

interface OnPage extends Connected {
  readonly page: Wizard | Overview;
  readonly messages: readonly Message[];
  readonly closing: readonly Message[];
}

async function onWizard(context: TestScope): Promise<OnPage> {
  const work = await Driver.connected(context);
  return { ...work, page: await work.window.openWizard(), messages: wizardMessages(), closing: [CLOSING] };
}

async function onOverview(context: TestScope): Promise<OnPage> {
  const work = await Driver.connected(context);
  const page = await work.window.openOverview();
  return { ...work, page, messages: overviewMessages(await page.idOf(OPERATIONS)), closing: [] };
}

async function ask({ driver, window, page }: OnPage): Promise<void> {
  await page.dryRun();
  await page.pressDelete();
  await driver.until('the question', () => window.asking);
}

async function send(work: OnPage, before: (driver: Driver) => unknown): Promise<void> {
  await ask(work);
  before(work.driver);
  await work.window.yes();
  await work.driver.execution();
}

const hold = ({ server }: Driver): boolean => (server.pacing.held = true);

/** Ways into each phase of a page. */
const WIZARD_PHASES: Readonly<Record<string, (work: OnPage) => Promise<void>>> = {
  editing: () => Promise.resolve(),
  dryRunning: async ({ driver, page }) => {
    driver.delayAnswer('"dryRun":true', 10 * SECOND);
    await (page as Wizard).startDryRun(365);
  },
  reviewed: ({ page }) => page.dryRun(),
  confirming: ask,
  executing: (work) => send(work, (driver) => driver.delayAnswer('"dryRun":false', 10 * SECOND)),
  running: (work) => send(work, hold),
  finished: (work) => send(work, () => undefined).then(() => work.page.reaches('finished')),
};
const OVERVIEW_PHASES: typeof WIZARD_PHASES = {
  choosing: () => Promise.resolve(),
  planned: ({ page }) => page.dryRun(),
  confirming: ask,
  executing: (work) => send(work, hold),
  ended: (work) => send(work, () => undefined).then(() => work.page.reaches('ended')),
};

/** Delivers messages, and checks that nothing came of them that takes a yes. */
async function assertHarmless({ driver, window, page }: OnPage, messages: readonly unknown[]): Promise<void> {
  const changes = driver.changes().length;
  const answers = driver.answers().length;
  messages.forEach((message) => page.panel.send(message));
  await driver.passTime(MINUTE);
  assert.equal(driver.answers().length, answers);
  assert.equal(driver.changes().length, changes, 'something changed without a yes');
  while (window.asking !== undefined) {
    await window.escape();
  }
  await driver.passTime(MINUTE);
  assert.equal(driver.changes().length, changes, 'something changed after a no');
  assertOnlyUsual(driver);
}

/** Delivers messages that no page sends, and checks that they are ignored. */
async function assertIgnored({ driver, page }: OnPage, messages: readonly unknown[]): Promise<void> {
  const { phase } = page;
  const requests = driver.machine.requests.length;
  messages.forEach((message) => page.panel.send(message));
  await driver.rests();
  assert.equal(page.phase, phase);
  assert.equal(driver.machine.requests.length, requests);
}

/** No request but of the product's own kinds, and no index but those that a form named. */
function assertOnlyUsual(driver: Driver): void {
  for (const { url } of driver.machine.requests) {
    assert.ok(url.startsWith(driver.server.url), url);
    assert.match(url.slice(driver.server.url.length), USED_PATHS);
  }
  for (const one of driver.truncations()) {
    assert.ok(isOf(OPERATIONS)(one) || isOf(PROFILES)(one), `nobody named ${one.plan.aspect}`);
  }
}

/** Anything that a page could send, and messages with anything in their fields. */
function junk(messages: readonly Message[]): Arbitrary<unknown> {
  const any = anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, maxDepth: 3 });
  const fields = dictionary(constantFrom('type', 'draft', 'intent', 'id'), any);
  const changed = tuple(constantFrom(...messages), fields).map(([message, other]) => Object.assign({}, message, other));
  return oneof(any, changed);
}

for (const [name, open, phases] of [
  ['one index', onWizard, WIZARD_PHASES],
  ['several indices', onOverview, OVERVIEW_PHASES],
] as const) {
  suite(`No message of the page of ${name} deletes anything`, () => {
    for (const [phase, reach] of Object.entries(phases)) {
      test(`while it is ${phase}`, async (context) => {
        const work = await open(context);
        await reach(work);
        await assertIgnored(work, forgedMessages([...work.messages, ...work.closing]));
        await assertHarmless(work, work.messages);
        await assertHarmless(work, work.closing);
        assert.equal(work.page.panel.isOpen, work.closing.length === 0);
      });
    }

    test('if it makes no sense', async (context) => {
      const work = await open(context);
      await work.page.dryRun();
      await assertHarmless(work, sample(junk(work.messages), { numRuns: 500, seed: 9 }));
    });
  });
}

test('No message of the page of one index makes it one of another index', async (context) => {
  const work = await onWizard(context);
  const messages = wizardMessages(PROFILES);
  // Another message cancels the first dry run.
  await assertHarmless(work, [...messages, ...messages.filter(({ type }) => type === 'dryRun')]);
  const counted = work.driver.truncations();
  assert.ok(
    counted.some(({ plan }) => JSON.stringify(messages).includes(`"endTimeMillis":${plan.endTimeMillis},`)),
    'the rest of a plan is taken',
  );
  assert.deepEqual(counted.filter(isOf(PROFILES)), []);
});

test('No message of the page of several indices counts rows of an index that no server lists', async (context) => {
  const work = await onOverview(context);
  await assertHarmless(work, overviewMessages('', '../..', '__proto__', 'dataset/unlisted'));
  assert.deepEqual(work.driver.truncations(), []);
});
