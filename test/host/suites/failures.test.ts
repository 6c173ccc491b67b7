import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { COMMANDS, SETTINGS } from '../../../src/manifest.ts';
import type { Fault } from '../../service/faults.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, removeConnections, saveConnection, tokenOf } from './support/connections.ts';
import { Person } from './support/person.ts';
import { calm } from './support/requests.ts';
import { assertNothingCutoff, sentencesFrom } from './support/rows.ts';
import { withSetting } from './support/settings.ts';
import { createToken } from './support/tokens.ts';
import {
  findRow,
  labelsBelow,
  onlyFailureOf,
  pressEnter,
  refresh,
  rowAt,
  rowsBelow,
  tooltipOf,
  type Row,
} from './support/tree.ts';

const NAME = 'Failures';
const TOKENS = 'Access tokens';
const INDICES = 'Time series indices';

interface Case {
  readonly title: string;
  readonly fault: Fault;
  /** Beginning of the row. */
  readonly headline: string;
  /** The description, which says what Enter does. */
  readonly step?: string;
  /** A part of the advice in the tooltip. */
  readonly next: RegExp;
  /** A part of the sentence in the tooltip and for a screen reader. */
  readonly says: RegExp;
}

const javaStack =
  'java.lang.RuntimeException: no such index\n\tat com.example.Search.run(Search.java:42)\n\tat java.lang.Thread.run(Thread.java:1)';

const CASES: readonly Case[] = [
  {
    title: 'a 401',
    fault: { kind: 'status', status: 401 },
    headline: 'Token rejected (401)',
    says: /Access token rejected/,
    step: 'Sign in…',
    next: /Sign in with another access token/,
  },
  {
    title: 'a 403',
    fault: {
      kind: 'status',
      status: 403,
      body: '{"message":"User is unauthorized","status":403}',
      contentType: 'application/json',
    },
    headline: 'Not allowed',
    says: /refused: you aren't allowed to list access tokens/,
    step: 'needs "Generate Personal Access Tokens"',
    next: /Ask a server administrator for the privilege/,
  },
  {
    title: 'a 500 with a stack trace',
    fault: {
      kind: 'status',
      status: 500,
      body: JSON.stringify({ message: javaStack, status: 500 }),
      contentType: 'application/json',
    },
    headline: 'Server error (500)',
    says: /The server failed on "listAccessTokens" \(HTTP 500\)(?!.*Search\.java)/,
    next: /server log/,
  },
  {
    title: 'a proxy in trouble',
    fault: { kind: 'status', status: 503 },
    headline: 'Server not ready (503)',
    says: /server isn't ready \(HTTP 503\)/,
    next: /Try again in a moment/,
  },
  {
    title: 'a server that is asked too often',
    fault: { kind: 'status', status: 429, retryAfter: '90' },
    headline: 'Too many requests (429)',
    says: /Too many requests/,
    next: /in 90 s/,
  },
  {
    title: 'the page of a proxy',
    fault: { kind: 'html' },
    headline: 'Unexpected response',
    says: /This may not be a metadata service(?!.*<)/,
    next: /not that of a proxy or sign-in page/,
  },
  {
    title: 'half a document',
    fault: { kind: 'truncatedBody' },
    headline: 'Unexpected response',
    says: /This may not be a metadata service/,
    next: /Check that the address/,
  },
  {
    title: 'a connection that is cut',
    fault: { kind: 'cutBody' },
    headline: "Can't reach host",
    says: /closed the connection unexpectedly/,
    next: /Try again/,
  },
];

suite('Failures in the tree', () => {
  const service = hostService();
  const person = new Person();
  suiteSetup(async () => {
    person.arrive();
    // No test creates tokens as this user, so the list stays the same.
    await saveConnection(connectionAs(service, 'operator', NAME));
    await rowsBelow(await rowAt(NAME, TOKENS));
  });
  setup(() => calm(service));
  teardown(() => person.assertNothingOpen());
  suiteTeardown(async () => {
    await calm(service);
    await removeConnections(person);
    person.depart();
  });

  for (const { title, fault, headline, says, next, step = 'Try again' } of CASES) {
    test(`${title} is a row with a reason and a next step, and refreshing recovers`, async () => {
      const before = await tokenRows();
      await callService(service, 'addFault', { fault, match: 'listAccessTokens', times: 'always' });
      await refresh(await rowAt(NAME, TOKENS));
      const failure = await failureBelow(TOKENS);
      assert.equal(failure.label, headline);
      assert.equal(failure.description, step);
      assert.equal(failure.item.contextValue, 'failure');
      const spoken = failure.item.accessibilityInformation?.label ?? '';
      assert.ok(spoken.startsWith(`Failure: ${headline}. `), spoken);
      assert.match(spoken, says);
      assert.doesNotMatch(spoken, /[\r\n]/);
      assert.match(await wholeOf(failure), says);
      assert.match(await wholeOf(failure), next);
      // Loaded rows stay below it.
      assert.deepEqual(await tokenRows(), before);

      await callService(service, 'clearFaults');
      await refresh(failure);
      assert.deepEqual(await tokenRows(), before);
      assert.ok(!(await rowsBelow(await rowAt(NAME, TOKENS))).some(({ item }) => item.contextValue === 'failure'));
      assert.deepEqual(person.toldSoFar, [], 'a failure of the tree is no notification');
    });
  }

  test('a missing response times out after the configured time', async () => {
    await callService(service, 'addFault', {
      fault: { kind: 'latency', millis: 600_000 },
      match: 'getIndexSizes',
      times: 'always',
    });
    await withSetting(SETTINGS.requestTimeoutSeconds, 5, async () => {
      await refresh(await rowAt(NAME, INDICES));
    });
    const failure = await failureBelow(INDICES);
    assert.equal(failure.label, 'Timed out');
    assert.match(await wholeOf(failure), /didn't respond within 5 s/);
    assert.match(await wholeOf(failure), /metadataService\.requestTimeoutSeconds/);
  });

  test('a redirect is not followed, and nothing reaches its target', async () => {
    const other = hostService('0.14');
    await callService(other, 'clearRequests');
    await callService(service, 'addFault', {
      fault: { kind: 'redirect', location: `${other.url}/api/graphql`, status: 307 },
      match: 'listAccessTokens',
      times: 'always',
    });
    await refresh(await rowAt(NAME, TOKENS));
    const failure = await failureBelow(TOKENS);
    assert.equal(failure.label, 'Redirected');
    assert.match(await wholeOf(failure), /redirected the request/);
    assert.deepEqual(await callService(other, 'requests'), []);
  });

  test('a refusal names the missing privilege', async () => {
    await saveConnection(connectionAs(service, 'guest', 'Guest'));
    const [tokens, indices] = await Promise.all([failureBelow(TOKENS, 'Guest'), failureBelow(INDICES, 'Guest')]);
    assert.deepEqual([tokens.label, tokens.description], ['Not allowed', 'needs "Generate Personal Access Tokens"']);
    assert.match(await wholeOf(tokens), /you aren't allowed to list access tokens/);
    assert.deepEqual([indices.label, indices.description], ['Not allowed', 'needs "Get Timeseries index sizes API"']);
    assert.match(await wholeOf(indices), /Ask a server administrator for the privilege/);
    assert.equal((await rowAt('Guest', TOKENS)).item.contextValue, 'tokens;cannotCreate');
    // A missing privilege is no failure of the connection.
    assert.equal((await rowAt('Guest')).description, '');
  });

  test('a token that is not accepted: Enter on the failure asks for another one, and the tree recovers', async () => {
    await saveConnection({ ...connectionAs(service, 'analyst', 'Signed out'), token: 'not-a-token-of-this-server' });
    const failure = await onlyFailureOf('Signed out');
    assert.deepEqual([failure.label, failure.description], ['Token rejected (401)', 'Sign in…']);
    assert.equal((await rowAt('Signed out')).description, 'Token rejected (401)');
    const signedIn = pressEnter(failure);
    await person.types(/Sign In to "Signed out"/, tokenOf(service, 'analyst'));
    await signedIn;
    assert.match((await rowsBelow(await rowAt('Signed out', TOKENS)))[0]?.item.contextValue ?? '', /^token\b/);
    assert.equal((await rowAt('Signed out')).description, '');
  });

  test('an unreachable server: the connection says what to check', async () => {
    const baseUrl = `http://127.0.0.1:${await portOfNobody()}`;
    await saveConnection({ baseUrl, actor: 'admin', token: 'typed', name: 'Nobody' });
    const failure = await onlyFailureOf('Nobody');
    assert.deepEqual([failure.label, failure.description], ["Can't reach host", 'Try again']);
    assert.match(await wholeOf(failure), /Can't reach 127\.0\.0\.1:\d+\..*server is running/s);
  });

  test('lists that fail for different reasons have one row, which asks to sign in if that is one of them', async () => {
    await callService(service, 'addFault', {
      fault: { kind: 'status', status: 503 },
      match: 'getIndexSizes',
      times: 'always',
    });
    await callService(service, 'addFault', {
      fault: { kind: 'status', status: 401 },
      match: 'listAccessTokens',
      times: 'always',
    });
    await refresh(await rowAt(NAME));
    const failure = await onlyFailureOf(NAME);
    assert.deepEqual(
      [failure.label, failure.item.command?.command],
      ['Token rejected (401)', COMMANDS.connectionSignIn],
    );
  });

  test('a token that is created while no list loads is shown', async () => {
    const name = 'Nothing loads';
    for (const match of ['getIndexSizes', 'listAccessTokens'])
      await callService(service, 'addFault', { fault: { kind: 'status', status: 503 }, match, times: 'always' });
    await saveConnection(connectionAs(service, 'analyst', name));
    await onlyFailureOf(name);
    assert.deepEqual((await labelsBelow(name)).slice(1), []);
    await createToken(person, name, { name: 'made meanwhile' });
    await rowAt(name, TOKENS, 'made meanwhile');
  });

  test('a connection that fails says so in its own row and in one below, and its old rows show their age', async () => {
    await refresh(await rowAt(NAME));
    assert.equal((await rowAt(NAME)).description, '');
    await callService(service, 'addFault', { fault: { kind: 'status', status: 503 }, times: 'always' });
    await refresh(await rowAt(NAME));
    await callService(service, 'clearRequests');
    const failing = await rowAt(NAME);
    assert.equal(failing.description, 'Server not ready (503)');
    assert.equal((failing.item.iconPath as vscode.ThemeIcon).id, 'warning');
    assert.match(await wholeOf(failing), /server isn't ready/);
    assert.equal((await onlyFailureOf(NAME)).label, 'Server not ready (503)');
    assert.deepEqual((await labelsBelow(NAME)).slice(1), [TOKENS, INDICES]);
    assert.match((await rowAt(NAME, TOKENS)).description, /^\d+ · as of \d+:\d\d.[AP]M( · |$)/);
    assert.match((await rowAt(NAME, INDICES)).description, / · as of \d+:\d\d.[AP]M$/);
    assert.deepEqual(await callService(service, 'requests'), [], 'what the row says was asked for');

    await callService(service, 'clearFaults');
    await pressEnter(await onlyFailureOf(NAME));
    const well = await rowAt(NAME);
    assert.equal(well.description, '');
    assert.equal((well.item.iconPath as vscode.ThemeIcon).id, 'server-environment');
    assert.match((await rowAt(NAME, TOKENS)).description, /^\d+( · \d+ expires? within 30 days)?$/);
  });

  test('a list for picking several tokens shows the whole failure, without check boxes', async () => {
    const message = 'The search index behind the access tokens is being rebuilt, which can take until tomorrow morning';
    await callService(service, 'addFault', {
      fault: { kind: 'status', status: 500, body: JSON.stringify({ message }), contentType: 'application/json' },
      match: 'listAccessTokens',
      times: 'always',
    });
    await saveConnection(connectionAs(service, 'operator', 'No list'));
    const revoked = vscode.commands.executeCommand(COMMANDS.tokenRevoke, (await rowAt('No list')).node);
    const items = await person.offered(/Select access tokens/, 'Server error (500)');
    const told = sentencesFrom(items, /^\$\(info\)/);
    assert.ok(told.includes(message), told);
    assertNothingCutoff(items);
    assert.equal(await person.checksSeveral(/Select access tokens/), false);
    await person.leaves(/Select access tokens/);
    await revoked;
    await person.seesNotification(/search index behind the access tokens/);
  });

  test('a failure of one list alone is a row of that list', async () => {
    const fault = { kind: 'status', status: 503 } as const;
    await callService(service, 'addFault', { fault, match: 'listAccessTokens', times: 'always' });
    await refresh(await rowAt(NAME));
    assert.deepEqual(await labelsBelow(NAME), [TOKENS, INDICES]);
    assert.equal((await failureBelow(TOKENS)).label, 'Server not ready (503)');
    assert.ok(!(await rowsBelow(await rowAt(NAME, INDICES))).some(({ item }) => item.contextValue === 'failure'));
  });

  test('the details of a failure can be copied for a report: no address, no words of the server, no secret', async () => {
    const token = tokenOf(service, 'operator');
    const echo = JSON.stringify({ message: `Denied: Authorization: Bearer ${token}`, status: 500 });
    await callService(service, 'addFault', {
      fault: { kind: 'status', status: 500, body: echo, contentType: 'application/json' },
      match: 'listAccessTokens',
      times: 'always',
    });
    await refresh(await rowAt(NAME, TOKENS));
    const failure = await failureBelow(TOKENS);
    await vscode.commands.executeCommand(COMMANDS.failureCopyDetails, failure.node);
    const copied = await vscode.env.clipboard.readText();
    assert.match(copied, /^Operation: listAccessTokens$/m);
    assert.match(copied, /^HTTP status: 500$/m);
    assert.match(copied, /^Server: v[\d.]+$/m);
    assert.ok(![NAME, new URL(service.url).host, 'Denied'].some((told) => copied.includes(told)), copied);
    const shown = [
      copied,
      failure.label,
      failure.description,
      await wholeOf(failure),
      failure.item.accessibilityInformation?.label,
    ].join('\n');
    assert.match(shown, /Denied/);
    assert.ok(!shown.includes(token) && !shown.includes(token.slice(0, 24)));
  });

  async function tokenRows(): Promise<string[]> {
    const rows = await rowsBelow(await rowAt(NAME, TOKENS));
    return rows.filter(({ item }) => item.contextValue === 'token').map(({ label }) => label);
  }
});

/** Hover of a row. */
async function wholeOf(row: Row): Promise<string> {
  const tooltip = await tooltipOf(row);
  // Removes escapes of Markdown and of spaces.
  return (typeof tooltip === 'string' ? tooltip : tooltip.value).replaceAll('&nbsp;', ' ').replaceAll(/\\(?=\W)/g, '');
}

async function failureBelow(group: string, connection = NAME): Promise<Row> {
  const [first] = await rowsBelow(await rowAt(connection, group));
  assert.equal(first?.item.contextValue, 'failure', `no failure below ${group} but ${first?.label}`);
  assert.ok(await findRow([connection, group, first.label]));
  return first;
}

/** A port that was free a moment ago. */
async function portOfNobody(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
