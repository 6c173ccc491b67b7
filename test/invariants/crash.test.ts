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
  readonly press?: (window: Window) => Promise<void>;
}

/** Time until everything is written, or hangs. */
const ENOUGH_MS = 45 * SECOND;
/** Time in which the next window might send something again: it counts rows for as long. */
const WATCHED_MS = 11 * MINUTE;

/** Does the work in a window whose storage stops after some writes. @returns the window and its writes. */
async function interrupted(driver: Driver, writes: number, { before, press }: Interrupted): Promise<[Window, number]> {
  const window = await driver.open();
  await window.connect();
  await before(window, driver);
  await driver.passTime(SECOND);
  const { host } = window;
  const writesBefore = host.writes;
  host.writesAllowed = writesBefore + writes;
  await (press === undefined ? window.yes() : press(window));
  await driver.passTime(ENOUGH_MS);
  return [window, host.writes - writesBefore];
}

/** Crashes after each number of writes, from none to all, and checks the next window. */
async function crashAfterEachWrite(
  context: TestContext,
  work: Interrupted,
  check: (driver: Driver, next: Window) => Promise<void>,
): Promise<void> {
  const [, all] = await interrupted(await Driver.start(context), Number.POSITIVE_INFINITY, work);
  assert.ok(all > 0, 'nothing was written');
  for (let writes = 0; writes <= all; writes++) {
    await context.test(`after ${writes} of ${all} writes`, async (one) => {
      const driver = await Driver.start(one);
      const [window] = await interrupted(driver, writes, work);
      await check(driver, await driver.crash(window));
    });
  }
}

/** @param said What the windows said since. */
async function assertTrueAbout({ plan }: SentTruncation, next: Window, said: readonly string[]): Promise<void> {
  const name = `${plan.entityType}/${plan.aspect}`;
  // The row spells it as the registry does.
  const rows = (await next.truncations()).filter((text) => text.toLowerCase().includes(name.toLowerCase()));
  assert.equal(rows.length, 1, `${rows.length} rows of ${name}, which was sent`);
  for (const text of [...said, ...rows]) {
    assert.ok(!claimsIn(text).includes('nothingDone'), `it was sent, and it says: ${text}`);
  }
}

/** Each truncation that left is in the tree, and none leaves again. */
async function assertTruncationsKnown(driver: Driver, next: Window): Promise<void> {
  const sent = driver.executions();
  const said = driver.windows.flatMap(({ notices }) => notices);
  for (const execution of sent) {
    await assertTrueAbout(execution, next, said);
  }
  await driver.passTime(WATCHED_MS);
  assert.equal(driver.executions().length, sent.length, 'it was sent again');
  assert.equal(new Set(sent.map(({ plan }) => plan.aspect)).size, sent.length, 'it was sent twice');
  assert.equal(await next.stateOf(), 'works');
}

/** @param states Those that the connection may have. */
async function assertConnection(driver: Driver, next: Window, states: readonly string[], name?: string): Promise<void> {
  const state = await next.stateOf(name);
  assert.ok(states.includes(state), `it ${state}`);
  await driver.passTime(MINUTE);
  const ofNext = driver.machine.requests.filter(({ window }) => window === next.host.id);
  assert.ok(
    ofNext.every(({ isHeldBack }) => !isHeldBack),
    'the next window changed something by itself',
  );
}

const agree = (window: Window): Promise<void> => window.agree();

suite('A crash loses no truncation, and repeats none', () => {
  for (const change of ['truncate', 'truncateSeveral'] as const) {
    test(`of ${change}`, (context) =>
      crashAfterEachWrite(context, { before: (window) => window.ask(change) }, assertTruncationsKnown));
  }
});

/** Of the token of the first rotation, the product knows the ID, so the second one asks whether to revoke it. */
async function rotateAndAskAgain(window: Window, driver: Driver): Promise<void> {
  await window.do('rotateOwn');
  await driver.passTime(MINUTE);
  await window.ask('rotateOwn');
}

const WORKS_OR_SIGNED_OUT = ['works', 'signed out'];

/** Work, the states that the connection may have, and its name if it isn't the first one. */
const WORK: Readonly<Record<string, readonly [Interrupted, readonly string[], string?]>> = {
  'it is added': [
    { before: (window) => window.describeConnection({ name: 'Added' }), press: agree },
    ['absent', ...WORKS_OR_SIGNED_OUT],
    'Added',
  ],
  'another token is signed in with': [
    { before: (window, driver) => window.typeToken(driver.issueToken()), press: agree },
    WORKS_OR_SIGNED_OUT,
  ],
  'another user signs in': [
    { before: (window, driver) => window.typeToken(driver.issueToken('operator')), press: agree },
    WORKS_OR_SIGNED_OUT,
  ],
  'it is signed out': [{ before: (window) => window.ask('signOut') }, WORKS_OR_SIGNED_OUT],
  'it is removed': [{ before: (window) => window.ask('remove') }, ['absent', ...WORKS_OR_SIGNED_OUT]],
  'a token is created': [{ before: (window) => window.ask('create') }, ['works']],
  'its own token is rotated': [{ before: (window) => window.ask('rotateOwn') }, ['works']],
  'a token that was created here is rotated, and revoked': [{ before: rotateAndAskAgain, press: agree }, ['works']],
};

suite('A crash leaves a connection that works, or is signed out', () => {
  for (const [what, [work, states, name]] of Object.entries(WORK)) {
    test(`while ${what}`, (context) =>
      crashAfterEachWrite(context, work, (driver, next) => assertConnection(driver, next, states, name)));
  }

  test('while its address changes: no token goes to the other one', async (context) => {
    const elsewhere = await Driver.start(context);
    const token = elsewhere.issueToken();
    const before = (window: Window): Promise<void> => window.describeAddress(elsewhere.server.url, token);
    await crashAfterEachWrite(context, { before, press: agree }, async (driver, next) => {
      await assertConnection(driver, next, WORKS_OR_SIGNED_OUT);
      const there = elsewhere.server.requests.flatMap(({ headers }) => headers.authorization ?? []);
      const here = driver.server.requests.flatMap(({ headers }) => headers.authorization ?? []);
      assert.ok(there.every((header) => header === `Bearer ${token}`));
      assert.ok(!here.includes(`Bearer ${token}`));
    });
  });
});
