// 10. Crash: whichever write was the last one, the next window says nothing untrue about what was sent, sends nothing
// by itself, and each connection works or is signed out.
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { claimsIn } from './claims.ts';
import { Driver } from './driver.ts';
import { MINUTE, SECOND } from './durations.ts';
import type { SentTruncation } from './truncations.ts';
import type { Window } from './window.ts';

/** Work that a crash interrupts. */
interface Interrupted {
  /** Comes to the last press. */
  readonly before: (window: Window, driver: Driver) => Promise<void>;
  readonly press: (window: Window) => Promise<void>;
}

/** Time until everything is written, or hangs. */
const ENOUGH_MS = 45 * SECOND;
/** Time in which the next window might send something again: it counts rows for as long. */
const WATCHED_MS = 11 * MINUTE;

/** Does the work in a window whose storage stops after some writes, and ends it as a crash does. */
async function crashAfter(driver: Driver, writes: number, { before, press }: Interrupted): Promise<Window> {
  const window = await driver.open();
  await window.connect();
  await before(window, driver);
  await driver.passTime(SECOND);
  window.stopStorageAfter(writes);
  await press(window);
  await driver.passTime(ENOUGH_MS);
  return driver.crash(window);
}

/** Number of writes of the work if nothing disturbs it. */
async function writesOf(context: TestContext, { before, press }: Interrupted): Promise<number> {
  const { driver, window } = await Driver.connected(context);
  await before(window, driver);
  await driver.passTime(SECOND);
  const { writes } = window;
  await press(window);
  await driver.passTime(ENOUGH_MS);
  return window.writes - writes;
}

/** Runs a test for each number of writes, from none to all. */
async function afterEachWrite(
  context: TestContext,
  work: Interrupted,
  check: (driver: Driver, next: Window) => Promise<void>,
): Promise<void> {
  const all = await writesOf(context, work);
  assert.ok(all > 0, 'nothing was written');
  for (let writes = 0; writes <= all; writes++) {
    await context.test(`after ${writes} of ${all} writes`, async (one) => {
      const driver = await Driver.start(one);
      await check(driver, await crashAfter(driver, writes, work));
    });
  }
}

/** @param said What the windows said since. @param unsent What the page of several says about the rest. */
async function assertTrueAbout(
  { plan }: SentTruncation,
  next: Window,
  said: readonly string[],
  unsent: readonly string[],
): Promise<void> {
  const name = `${plan.entityType}/${plan.aspect}`;
  const rows = (await next.truncations()).filter(({ text }) => text.includes(name));
  assert.equal(rows.length, 1, `${rows.length} rows of ${name}, which was sent`);
  for (const text of [...said, ...rows.map((row) => row.text)]) {
    assert.ok(!claimsIn(text).includes('nothingDone'), `it was sent, and it says: ${text}`);
  }
  assert.ok(!unsent.some((text) => text.includes(name)), `${name} is among those that were not sent`);
}

/** Each truncation that left is in the tree, and none leaves again. */
async function assertTruncationsKnown(driver: Driver, next: Window): Promise<void> {
  const sent = driver.executions();
  const said = driver.windows.flatMap(({ notices }) => notices);
  const overview = await next.openOverview();
  const { unsent } = overview;
  overview.close();
  for (const execution of sent) {
    await assertTrueAbout(execution, next, said, unsent);
  }
  await driver.passTime(WATCHED_MS);
  assert.equal(driver.executions().length, sent.length, 'it was sent again');
  assert.equal(new Set(sent.map(({ plan }) => plan.aspect)).size, sent.length, 'it was sent twice');
  assert.equal(await next.stateOf(), 'works');
}

/** @param states Those that the connection may have. */
function assertConnection(states: readonly string[], name?: string): (driver: Driver, next: Window) => Promise<void> {
  return async (driver, next) => {
    const state = await next.stateOf(name);
    assert.ok(states.includes(state), `it ${state}`);
    await driver.passTime(MINUTE);
    const ofNext = driver.machine.requests.filter(({ window }) => window === next.host.id);
    assert.ok(
      ofNext.every(({ isHeldBack }) => !isHeldBack),
      'the next window changed something by itself',
    );
  };
}

const yes = (window: Window): Promise<void> => window.yes();

/** Of the token of the first rotation, the product knows the ID, so the second one revokes it. */
async function rotateAndAskAgain(window: Window, driver: Driver): Promise<void> {
  await window.ask('rotateOwn');
  await window.yes();
  await driver.passTime(MINUTE);
  await window.escape();
  await window.ask('rotateOwn');
}

suite('A crash loses no truncation, and repeats none', () => {
  test('of one index', (context) =>
    afterEachWrite(context, { before: (window) => window.ask('truncate'), press: yes }, assertTruncationsKnown));

  test('of several indices', (context) =>
    afterEachWrite(context, { before: (window) => window.ask('truncateSeveral'), press: yes }, assertTruncationsKnown));
});

suite('A crash leaves a connection that works, or is signed out', () => {
  test('while it is added', (context) =>
    afterEachWrite(
      context,
      {
        before: (window) => window.describeConnection({ name: 'Added' }),
        press: (window) => window.saveConnection(),
      },
      assertConnection(['absent', 'works', 'signed out'], 'Added'),
    ));

  test('while another token is signed in with', (context) =>
    afterEachWrite(
      context,
      {
        before: (window, driver) => window.typeToken(driver.issueToken()),
        press: (window) => window.acceptToken(),
      },
      assertConnection(['works', 'signed out']),
    ));

  test('while another user signs in', (context) =>
    afterEachWrite(
      context,
      {
        before: (window, driver) => window.typeToken(driver.issueToken('operator')),
        press: (window) => window.acceptToken(),
      },
      assertConnection(['works', 'signed out']),
    ));

  test('while it is signed out', (context) =>
    afterEachWrite(
      context,
      { before: (window) => window.askToSignOut(), press: yes },
      assertConnection(['works', 'signed out']),
    ));

  test('while it is removed', (context) =>
    afterEachWrite(
      context,
      { before: (window) => window.askToRemove(), press: yes },
      assertConnection(['absent', 'works', 'signed out']),
    ));

  test('while a token is created', (context) =>
    afterEachWrite(context, { before: (window) => window.ask('create'), press: yes }, assertConnection(['works'])));

  test('while its own token is rotated: it works in any case', (context) =>
    afterEachWrite(context, { before: (window) => window.ask('rotateOwn'), press: yes }, assertConnection(['works'])));

  test('while a token that was created here is rotated, and revoked: it works in any case', (context) =>
    afterEachWrite(context, { before: rotateAndAskAgain, press: yes }, assertConnection(['works'])));

  test('while its address changes: no token goes to the other one', async (context) => {
    const elsewhere = await Driver.start(context);
    const token = elsewhere.issueToken();
    const work: Interrupted = {
      before: (window) => window.describeAddress(elsewhere.server.url, token),
      press: (window) => window.saveConnection(),
    };
    await afterEachWrite(context, work, async (driver, next) => {
      await assertConnection(['works', 'signed out'])(driver, next);
      const there = elsewhere.server.requests.flatMap(({ headers }) => headers.authorization ?? []);
      const here = driver.server.requests.flatMap(({ headers }) => headers.authorization ?? []);
      assert.ok(there.every((header) => header === `Bearer ${token}`));
      assert.ok(!here.includes(`Bearer ${token}`));
    });
  });
});
