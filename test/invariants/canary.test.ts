// 6. Canary: no piece of a token is where the product leaves a text, whatever a server or a user makes of it.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { COMMANDS } from '../../src/manifest.ts';
import { ASKED } from './controls.ts';
import { Driver, type Connected, type TestScope } from './driver.ts';
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

interface SignedIn extends Connected {
  readonly token: string;
}

async function signedIn(context: TestScope): Promise<SignedIn> {
  const driver = await Driver.start(context);
  const token = driver.issueToken();
  const window = await driver.open();
  await window.connect({ token });
  return { driver, window, token };
}

/** Checks that there is no trace, now and in the window after a crash. */
async function assertNoTraceLater(driver: Driver, window: Window, tokens: readonly string[]): Promise<void> {
  await assertNoTrace(driver, tokens);
  const next = await driver.crash(window);
  await next.wholeTree();
  await assertNoTrace(driver, tokens);
}

suite('No trace of a token is left', () => {
  test('by work with lists and indices', async (context) => {
    const { driver, window, token } = await signedIn(context);
    await window.wholeTree();
    await window.do('truncate');
    await window.ask('truncateSeveral');
    await window.escape();
    // Until its end was announced.
    await driver.passTime(5 * MINUTE);
    await assertNoTraceLater(driver, window, [token]);
  });

  test('by creating, rotating, revoking and signing out', async (context) => {
    const { driver, window, token } = await signedIn(context);
    await window.do('create');
    await window.reply(ASKED.createdToken, /^Close$/);
    await window.do('rotateOwn');
    await driver.passTime(MINUTE);
    await window.do('revoke');
    const another = driver.issueToken('operator');
    await window.signIn(another);
    await window.do('signOut');
    await driver.passTime(MINUTE);
    assert.equal(driver.createdTokens().length, 2);
    await assertNoTraceLater(driver, window, [token, another, ...driver.createdTokens()]);
  });

  test('by creating one and signing out: its value can no longer be copied', async (context) => {
    const { driver, window, token } = await signedIn(context);
    await window.do('create');
    await window.reply(ASKED.createdToken, /^Close$/);
    const contextOfRow = async (): Promise<string> =>
      (await window.row('Staging', 'Access tokens', 'made here')).item.contextValue ?? '';
    assert.match(await contextOfRow(), /;held/);
    await window.do('signOut');
    await window.signIn(token);
    await driver.passTime(MINUTE);
    assert.doesNotMatch(await contextOfRow(), /;held/);
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
  'as an address': pastedAsAddress((token) => token),
  'within an address': pastedAsAddress((token) => `https://datahub.example.com/?token=${token}`),
  'as the name of a token': async (window, token) => {
    window.run(COMMANDS.tokenCreate, await window.row('Staging'));
    // The whole is too long for a name.
    await window.reply(ASKED.tokenName, token.slice(-40));
    assert.match(window.asking ?? '', ASKED.tokenName, 'it was taken as a name, which others can see');
    await window.escape();
  },
  'as the name of an index': async (window, token) => (await window.openWizard()).startDryRun(365, { aspect: token }),
  'as a batch size': async (window, token) => (await window.openWizard()).startDryRun(365, { batchSize: token }),
};

function pastedAsAddress(address: (token: string) => string): (window: Window, token: string) => Promise<void> {
  return async (window, token) => {
    window.run(COMMANDS.connectionAdd);
    await window.reply(ASKED.address, address(token));
    await window.escape();
  };
}

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

interface Work extends SignedIn {
  /** Was opened before the server became hostile. */
  readonly wizard: Wizard;
}

/** Requests that are answered otherwise, the status and the body that they get, and what is done meanwhile. */
type Hostile = readonly [match: string, status: number, body: (echo: string, token: string) => object, Doing];
type Doing = (work: Work) => Promise<void>;

const HOSTILE: Readonly<Record<string, Hostile>> = {
  'a refusal of each request': ['', 403, (message) => ({ message }), lookAround],
  'a sign-in for each request': ['', 401, (message) => ({ message }), lookAround],
  'a failure of each request': ['', 500, (message) => ({ exceptionClass: message, message }), lookAround],
  'an unknown path': ['', 404, (error) => ({ error }), lookAround],
  'the errors of GraphQL': [
    'graphql',
    200,
    (message) => ({ data: null, errors: [{ message, extensions: { type: message } }] }),
    lookAround,
  ],
  'its configuration': [
    '/config',
    200,
    (version) => ({ noCode: 'true', versions: { [version]: { version } } }),
    lookAround,
  ],
  'the names of indices': [
    'getIndexSizes',
    200,
    (name) => ({ value: { indexSizes: [{ entityName: name, aspectName: name, indexName: name, sizeInMb: 1 }] } }),
    lookAround,
  ],
  'a dry run': [
    '"dryRun":true',
    200,
    (echo) => ({
      value: `Delete 5 out of 9 rows (55%). Issuing a delete by query request. This was a dry run. ${echo}`,
    }),
    truncate,
  ],
  'a refused dry run': ['"dryRun":true', 400, (message) => ({ message }), lookAround],
  // A node's name has so many characters.
  'the ID of a task': ['"dryRun":false', 200, (_, token) => ({ value: `${token.slice(25, 47)}:7` }), truncate],
  'a refused deletion': ['"dryRun":false', 200, (value) => ({ value }), truncate],
  'a failed deletion': ['"dryRun":false', 500, (message) => ({ message }), truncate],
  'the status of a task': [
    'getEsTaskStatus',
    200,
    (echo) => ({ value: { task: echo, completed: true, runTimeNanos: 1, status: {}, error: echo } }),
    truncate,
  ],
  'a refused creation': [
    'mutation',
    200,
    (message) => ({ errors: [{ message, extensions: { code: 400 } }] }),
    ({ window }) => window.do('create'),
  ],
  'a refused revocation': [
    'mutation',
    200,
    (message) => ({ errors: [{ message, extensions: { code: 403 } }] }),
    ({ window }) => window.do('revokeSeveral'),
  ],
};

/** Loads everything, and counts rows. */
async function lookAround({ driver, window, wizard }: Work): Promise<void> {
  await window.refresh();
  await window.openOverview();
  await wizard.startDryRun(365);
  await driver.passTime(MINUTE);
}

async function truncate({ driver, window, wizard }: Work): Promise<void> {
  await wizard.dryRun();
  await wizard.pressDelete();
  await window.agree();
  await driver.passTime(5 * MINUTE);
  assert.equal(driver.executions().length, 1);
}

suite('No trace of a token is left by a server that has it in', () => {
  for (const [what, [match, status, bodyOf, work]] of Object.entries(HOSTILE)) {
    test(what, async (context) => {
      const { driver, window, token } = await signedIn(context);
      const wizard = await window.openWizard();
      const body = JSON.stringify(bodyOf(echoOf(token), token));
      const fault = { kind: 'status', status, body, contentType: 'application/json' } as const;
      driver.server.faults.add({ fault, match, times: 'always' });
      await work({ driver, window, token, wizard });
      await assertNoTraceLater(driver, window, [token]);
    });
  }

  test('the name of another token', async (context) => {
    const { driver, window, token } = await signedIn(context);
    driver.server.issueToken({ name: `backup of ${token}` });
    driver.server.issueToken({ name: token.slice(0, 60) });
    driver.server.refreshTokens();
    await window.refresh();
    await assertNoTrace(driver, [token]);
  });
});

suite('A copied token', () => {
  for (const crashes of [false, true]) {
    test(`is on the clipboard for a minute${crashes ? ', even if its window crashes' : ''}`, async (context) => {
      const { driver, window } = await signedIn(context);
      await window.do('create');
      await window.reply(ASKED.createdToken, /^Copy Token$/);
      assert.deepEqual([driver.machine.clipboard], driver.createdTokens());
      await driver.passTime(SECOND);
      const next = crashes ? await driver.crash(window) : window;
      await driver.passTime(MINUTE);
      assert.equal(driver.machine.clipboard, '');
      await next.wholeTree();
      await assertNoTrace(driver, driver.createdTokens());
    });
  }
});
