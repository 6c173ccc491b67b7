// 9. Intents: a page says what its user pressed and typed; no message of it, real or forged, does more than a button.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { anything, constantFrom, dictionary, oneof, sample, tuple, type Arbitrary } from 'fast-check';
import { Driver } from './driver.ts';
import { MINUTE, SECOND } from './durations.ts';
import { CLOSING, forgedMessages, overviewMessages, UNLISTED, wizardMessages } from './messages.ts';
import type { Overview, Wizard } from './pages.ts';
import { isOf, OPERATIONS, PROFILES } from './truncations.ts';
import type { Window } from './window.ts';

/** All that the product asks a server for. */
const USED_PATHS =
  /^\/(config|api\/gms\/config|api\/graphql|operations\?action=(truncateTimeseriesAspect|getIndexSizes|getEsTaskStatus)|openapi\/operations\/elasticSearch\/getIndexSizes)$/;

/** While an address is asked for, the usual ports of this machine are looked at. */
const LOCAL_SERVERS = /^http:\/\/127\.0\.0\.1:(8080|9002)\/(config|api\/gms\/config)$/;

interface Work {
  readonly driver: Driver;
  readonly window: Window;
}

/** Ways into each phase of the page that truncates one index. */
const WIZARD_PHASES: Readonly<Record<string, (wizard: Wizard, work: Work) => Promise<void>>> = {
  editing: () => Promise.resolve(),
  dryRunning: async (wizard, { driver }) => {
    driver.delayAnswer('"dryRun":true', 10 * SECOND);
    await wizard.fill(365);
    await wizard.pressDryRun();
  },
  reviewed: (wizard) => wizard.dryRun(),
  confirming: async (wizard) => {
    await wizard.dryRun();
    await wizard.ask();
  },
  executing: async (wizard, work) => {
    await send(wizard, work, () => work.driver.delayAnswer('"dryRun":false', 10 * SECOND));
  },
  running: (wizard, work) => send(wizard, work, ({ server }) => (server.pacing.held = true)),
  finished: async (wizard, work) => {
    await send(wizard, work, () => undefined);
    await work.driver.until('the end', () => wizard.phase === 'finished');
  },
};

async function send(page: Wizard, { driver, window }: Work, before: (driver: Driver) => unknown): Promise<void> {
  await page.dryRun();
  await page.ask();
  before(driver);
  await window.yes();
  await driver.until('the request', () => driver.executions().length > 0);
}

/** Ways into each phase of the page that truncates several. */
const OVERVIEW_PHASES: Readonly<Record<string, (overview: Overview, work: Work) => Promise<void>>> = {
  choosing: () => Promise.resolve(),
  planned: (overview) => overview.dryRun([OPERATIONS, PROFILES]),
  confirming: async (overview, { driver, window }) => {
    await overview.dryRun([OPERATIONS, PROFILES]);
    await overview.pressDelete();
    await driver.until('the question', () => window.isAsked);
  },
  executing: (overview, work) => sendSeveral(overview, work, ({ server }) => (server.pacing.held = true)),
  ended: async (overview, work) => {
    await sendSeveral(overview, work, () => undefined);
    await work.driver.until('the end', () => overview.phase === 'ended');
  },
};

async function sendSeveral(
  page: Overview,
  { driver, window }: Work,
  before: (driver: Driver) => unknown,
): Promise<void> {
  await page.dryRun([OPERATIONS, PROFILES]);
  await page.pressDelete();
  await driver.until('the question', () => window.isAsked);
  before(driver);
  await window.yes();
  await driver.until('the request', () => driver.executions().length > 0);
}

/** Delivers messages, and checks that nothing came of them that takes a yes. */
async function assertHarmless(
  { driver, window }: Work,
  page: Wizard | Overview,
  messages: readonly unknown[],
): Promise<void> {
  const changes = driver.changes().length;
  const answers = driver.answers().length;
  messages.forEach((message) => page.panel.send(message));
  await driver.passTime(MINUTE);
  assert.equal(driver.answers().length, answers);
  assert.equal(driver.changes().length, changes, 'something changed without a yes');
  while (window.isAsked) {
    await window.escape();
  }
  await driver.passTime(MINUTE);
  assert.equal(driver.changes().length, changes, 'something changed after a no');
  assertOnlyUsual(driver);
}

/** Delivers messages that no page sends, and checks that they are ignored. */
async function assertIgnored({ driver }: Work, page: Wizard | Overview, messages: readonly unknown[]): Promise<void> {
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
    const isHere = url.startsWith(driver.server.url);
    assert.match(isHere ? url.slice(driver.server.url.length) : url, isHere ? USED_PATHS : LOCAL_SERVERS);
  }
  const named = new Set([OPERATIONS, PROFILES].map(({ aspect }) => aspect));
  for (const { plan } of driver.truncations()) {
    assert.ok(plan.entityType === OPERATIONS.entityType && named.has(plan.aspect), `nobody named ${plan.aspect}`);
  }
}

suite('No message of the page of one index deletes anything', () => {
  for (const [phase, reach] of Object.entries(WIZARD_PHASES)) {
    test(`while it is ${phase}`, async (context) => {
      const work = await Driver.connected(context);
      const wizard = await work.window.openWizard();
      await reach(wizard, work);
      await assertIgnored(work, wizard, forgedMessages([...wizardMessages(), CLOSING]));
      await assertHarmless(work, wizard, wizardMessages());
      await assertHarmless(work, wizard, [CLOSING]);
      assert.equal(wizard.panel.isOpen, false);
    });
  }
});

test('No message of the page of one index makes it one of another index', async (context) => {
  const work = await Driver.connected(context);
  const wizard = await work.window.openWizard(OPERATIONS);
  const messages = wizardMessages(PROFILES);
  await assertHarmless(work, wizard, messages);
  const cutoffs = new Set(messages.flatMap((one) => (one.type === 'edit' ? (one.draft.endTimeMillis ?? []) : [])));
  const counted = work.driver.truncations();
  assert.ok(
    counted.some(({ plan }) => cutoffs.has(plan.endTimeMillis)),
    'the rest of an edit is taken',
  );
  assert.deepEqual(counted.filter(isOf(PROFILES)), []);
});

suite('No message of the page of several indices deletes anything', () => {
  for (const [phase, reach] of Object.entries(OVERVIEW_PHASES)) {
    test(`while it is ${phase}`, async (context) => {
      const work = await Driver.connected(context);
      const overview = await work.window.openOverview();
      await reach(overview, work);
      const messages = overviewMessages(await overview.idOf(OPERATIONS));
      await assertIgnored(work, overview, forgedMessages(messages));
      await assertHarmless(work, overview, messages);
    });
  }
});

suite('No message of the page of several indices counts rows', () => {
  for (const id of UNLISTED) {
    test(`of an index that no server lists: "${id}"`, async (context) => {
      const work = await Driver.connected(context);
      await assertHarmless(work, await work.window.openOverview(), overviewMessages(id));
      assert.deepEqual(work.driver.truncations(), []);
    });
  }
});

/** Anything that a page could send, and messages with anything in their fields. */
function junk(messages: readonly { readonly type: string }[]): Arbitrary<unknown> {
  const any = anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, maxDepth: 3 });
  const fields = dictionary(constantFrom('type', 'draft', 'intent', 'id', 'revision'), any);
  const changed = tuple(constantFrom(...messages), fields).map(([message, other]) => Object.assign({}, message, other));
  return oneof(any, changed);
}

suite('Nothing comes of messages that make no sense', () => {
  test('from the page of one index', async (context) => {
    const work = await Driver.connected(context);
    const wizard = await work.window.openWizard();
    await wizard.dryRun();
    await assertHarmless(work, wizard, sample(junk(wizardMessages()), { numRuns: 500, seed: 9 }));
  });

  test('from the page of several indices', async (context) => {
    const work = await Driver.connected(context);
    const overview = await work.window.openOverview();
    await overview.dryRun([OPERATIONS, PROFILES]);
    const messages = overviewMessages(await overview.idOf(OPERATIONS));
    await assertHarmless(work, overview, sample(junk(messages), { numRuns: 500, seed: 9 }));
  });
});
