// 6. Canary: no piece of a token is where the product leaves a text, whatever a server or a user makes of it.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { FaultRule } from '../service/faults.ts';
import { Driver } from './driver.ts';
import { MINUTE, SECOND } from './durations.ts';
import type { Wizard } from './pages.ts';
import { tracesOf } from './traces.ts';
import type { Window } from './window.ts';

/** So many characters of a token in a row give it away. */
const PIECE = 12;

/** Checks every place, as it is now and for what was there before. */
async function assertNoTrace(driver: Driver, tokens: readonly string[]): Promise<void> {
  const pieces = new Set(tokens.flatMap((token) => [...piecesOf(token)]));
  for (const { place, text } of await tracesOf(driver)) {
    const found = firstAmong(pieces, text);
    assert.ok(found === undefined, `${place} has "${found}": ${text.slice(0, 1_000)}`);
  }
}

/** In lower case, as a host is written. */
function* piecesOf(text: string): Generator<string, void> {
  const lower = text.toLowerCase();
  for (let at = 0; at + PIECE <= lower.length; at++) {
    yield lower.slice(at, at + PIECE);
  }
}

function firstAmong(pieces: ReadonlySet<string>, text: string): string | undefined {
  for (const piece of piecesOf(text)) {
    if (pieces.has(piece)) {
      return piece;
    }
  }
  return undefined;
}

interface SignedIn {
  readonly driver: Driver;
  readonly window: Window;
  readonly token: string;
}

async function signedIn(context: Parameters<typeof Driver.start>[0]): Promise<SignedIn> {
  const driver = await Driver.start(context);
  const token = driver.issueToken();
  const window = await driver.open();
  await window.connect({ token });
  return { driver, window, token };
}

suite('No trace of a token is left', () => {
  test('by work with lists and indices', async (context) => {
    const { driver, window, token } = await signedIn(context);
    await window.wholeTree();
    await window.ask('truncate');
    await window.yes();
    await window.ask('truncateSeveral');
    await window.escape();
    await driver.passTime(MINUTE);
    await assertNoTrace(driver, [token]);
    await driver.reload(await driver.crash(window));
    await assertNoTrace(driver, [token]);
  });

  test('by creating, rotating, revoking and signing out', async (context) => {
    const { driver, window, token } = await signedIn(context);
    await window.createToken();
    await window.closeCreatedToken();
    await window.ask('rotateOwn');
    await window.yes();
    await driver.passTime(MINUTE);
    await window.ask('revoke');
    await window.yes();
    const another = driver.issueToken('operator');
    await window.signIn(another);
    await window.signOut();
    await driver.passTime(MINUTE);
    assert.equal(driver.createdTokens().length, 2);
    await assertNoTrace(driver, [token, another, ...driver.createdTokens()]);
    const crashed = await driver.crash(window);
    await crashed.wholeTree();
    await assertNoTrace(driver, [token, another, ...driver.createdTokens()]);
  });

  test('by creating one and signing out: its value can no longer be copied', async (context) => {
    const { driver, window, token } = await signedIn(context);
    await window.createToken();
    await window.closeCreatedToken();
    const path = ['Staging', 'Access tokens', 'made here'];
    assert.match((await window.row(...path)).item.contextValue ?? '', /;held/);
    await window.signOut();
    await window.signIn(token);
    await driver.passTime(MINUTE);
    assert.doesNotMatch((await window.row(...path)).item.contextValue ?? '', /;held/);
  });

  test('by looking into one', async (context) => {
    const { driver, window, token } = await signedIn(context);
    const pasted = driver.issueToken('operator');
    await window.inspect(pasted);
    await window.yes();
    await window.escape();
    await assertNoTrace(driver, [token, pasted]);
  });
});

/** Places where a token doesn't belong, but where it may be pasted. */
const WRONG_PLACES: Readonly<Record<string, (window: Window, token: string) => Promise<void>>> = {
  'as an address': (window, token) => window.typeAsAddress(token),
  'within an address': (window, token) => window.typeAsAddress(`https://datahub.example.com/?token=${token}`),
  'as the name of a token': (window, token) => window.typeAsTokenName(token),
  'as the name of an index': async (window, token) => (await window.openWizard()).fill(365, { aspect: token }),
  'as a batch size': async (window, token) => (await window.openWizard()).fill(365, { batchSize: token }),
};

suite('No trace of a token is left if it is pasted', () => {
  for (const [where, paste] of Object.entries(WRONG_PLACES)) {
    test(where, async (context) => {
      const { driver, window, token } = await signedIn(context);
      await paste(window, token);
      await driver.passTime(MINUTE);
      await assertNoTrace(driver, [token]);
      const next = await driver.reload(window);
      await next.wholeTree();
      await assertNoTrace(driver, [token]);
    });
  }
});

/** A server's words with a token: whole, in halves, escaped and encoded. */
function echoOf(token: string): string {
  const half = token.length / 2;
  return [
    `Denied for ${token}`,
    `starting with ${token.slice(0, half)}`,
    `ending with ${token.slice(half)}`,
    `in pieces ${token.replace(/(.{70})/g, '$1 ')}`,
    `encoded ${encodeURIComponent(token)} ${token.slice(20, 60)}`,
  ].join(', ');
}

function answer(match: string, status: number, body: unknown): FaultRule {
  const fault = { kind: 'status', status, body: JSON.stringify(body), contentType: 'application/json' } as const;
  return { fault, match, times: 'always' };
}

interface Work extends SignedIn {
  /** Was opened before the server became hostile. */
  readonly wizard: Wizard;
}

/** Answers of a hostile server, and what is asked for them. */
const HOSTILE: Readonly<
  Record<
    string,
    { readonly rule: (echo: string, token: string) => FaultRule; readonly work: (work: Work) => Promise<void> }
  >
> = {
  'a refusal of each request': { rule: (echo) => answer('', 403, { message: echo }), work: lookAround },
  'a sign-in for each request': { rule: (echo) => answer('', 401, { message: echo }), work: lookAround },
  'a failure of each request': {
    rule: (echo) => answer('', 500, { exceptionClass: echo, message: echo }),
    work: lookAround,
  },
  'an unknown path': { rule: (echo) => answer('', 404, { error: echo }), work: lookAround },
  'the errors of GraphQL': {
    rule: (echo) => answer('graphql', 200, { data: null, errors: [{ message: echo, extensions: { type: echo } }] }),
    work: lookAround,
  },
  'its configuration': {
    rule: (echo) => answer('/config', 200, { noCode: 'true', versions: { [echo]: { version: echo } } }),
    work: lookAround,
  },
  'the names of indices': {
    rule: (echo) =>
      answer('getIndexSizes', 200, {
        value: { indexSizes: [{ entityName: echo, aspectName: echo, indexName: echo, sizeInMb: 1 }] },
      }),
    work: lookAround,
  },
  'a dry run': {
    rule: (echo) =>
      answer('"dryRun":true', 200, {
        value: `Delete 5 out of 9 rows (55%). Issuing a delete by query request. This was a dry run. ${echo}`,
      }),
    work: truncate,
  },
  'a refused dry run': { rule: (echo) => answer('"dryRun":true', 400, { message: echo }), work: lookAround },
  'the ID of a task': {
    // A node's name has so many characters.
    rule: (_, token) => answer('"dryRun":false', 200, { value: `${token.slice(25, 47)}:7` }),
    work: truncate,
  },
  'a refused deletion': { rule: (echo) => answer('"dryRun":false', 200, { value: echo }), work: truncate },
  'a failed deletion': { rule: (echo) => answer('"dryRun":false', 500, { message: echo }), work: truncate },
  'the status of a task': {
    rule: (echo) =>
      answer('getEsTaskStatus', 200, {
        value: { task: echo, completed: true, runTimeNanos: 1, status: {}, error: echo },
      }),
    work: truncate,
  },
  'a refused creation': {
    rule: (echo) => answer('mutation', 200, { errors: [{ message: echo, extensions: { code: 400 } }] }),
    work: async ({ window }) => {
      await window.ask('create');
      await window.yes();
    },
  },
  'a refused revocation': {
    rule: (echo) => answer('mutation', 200, { errors: [{ message: echo, extensions: { code: 403 } }] }),
    work: async ({ window }) => {
      await window.ask('revokeSeveral');
      await window.yes();
    },
  },
};

/** Loads everything, and counts rows. */
async function lookAround({ driver, window, wizard }: Work): Promise<void> {
  await window.refresh('Staging');
  await window.wholeTree();
  await window.openOverview();
  await wizard.fill(365);
  await wizard.pressDryRun();
  await driver.passTime(MINUTE);
}

async function truncate({ driver, window, wizard }: Work): Promise<void> {
  await wizard.dryRun();
  await wizard.ask();
  await window.yes();
  await driver.passTime(5 * MINUTE);
}

suite('No trace of a token is left by a server that has it in', () => {
  for (const [what, { rule, work }] of Object.entries(HOSTILE)) {
    test(what, async (context) => {
      const { driver, window, token } = await signedIn(context);
      const wizard = await window.openWizard();
      driver.server.faults.add(rule(echoOf(token), token));
      await work({ driver, window, token, wizard });
      await assertNoTrace(driver, [token]);
      const next = await driver.crash(window);
      await next.wholeTree();
      await assertNoTrace(driver, [token]);
    });
  }

  test('the name of another token', async (context) => {
    const { driver, window, token } = await signedIn(context);
    driver.server.issueToken({ name: `backup of ${token}` });
    driver.server.issueToken({ name: token.slice(0, 60) });
    driver.server.refreshTokens();
    await window.refresh('Staging');
    await window.wholeTree();
    await assertNoTrace(driver, [token]);
  });

  test('its announcement', async (context) => {
    const { driver, window, token } = await signedIn(context);
    await truncate({ driver, window, token, wizard: await window.openWizard() });
    await assertNoTrace(driver, [token]);
  });
});

suite('A copied token', () => {
  test('is on the clipboard, and no longer than a minute', async (context) => {
    const { driver, window } = await signedIn(context);
    await window.createToken();
    await window.copyCreatedToken();
    assert.deepEqual([driver.machine.clipboard], driver.createdTokens());
    await driver.passTime(MINUTE + SECOND);
    assert.equal(driver.machine.clipboard, '');
    await assertNoTrace(driver, driver.createdTokens());
  });

  test('is cleared by the next window if its own crashed', async (context) => {
    const { driver, window } = await signedIn(context);
    await window.createToken();
    await window.copyCreatedToken();
    await driver.passTime(SECOND);
    const next = await driver.crash(window);
    await driver.passTime(MINUTE + SECOND);
    assert.equal(driver.machine.clipboard, '');
    await next.wholeTree();
    await assertNoTrace(driver, driver.createdTokens());
  });
});
