import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { COMMANDS, SETTINGS } from '../../../src/manifest.ts';
import type { Fault } from '../../service/faults.ts';
import { callService, hostService } from '../context.ts';
import { VERDICT, addConnection, connectionAs, removeConnections, tokenOf } from './support/connections.ts';
import { Person } from './support/person.ts';
import { calm } from './support/requests.ts';
import { withSetting } from './support/settings.ts';
import { findRow, pressEnter, refresh, rowAt, rowsBelow } from './support/tree.ts';
import type { Row } from './support/tree.ts';

const NAME = 'Failures';
const TOKENS = 'Access tokens';
const INDICES = 'Time series indices';

interface Case {
  readonly title: string;
  readonly fault: Fault;
  readonly says: RegExp;
  readonly next: RegExp;
}

const javaStack =
  'java.lang.RuntimeException: no such index\n\tat com.example.Search.run(Search.java:42)\n\tat java.lang.Thread.run(Thread.java:1)';

const CASES: readonly Case[] = [
  {
    title: 'a 401',
    fault: { kind: 'status', status: 401 },
    says: /Access token rejected/,
    next: /^Sign in with another access token/,
  },
  {
    title: 'a 403',
    fault: {
      kind: 'status',
      status: 403,
      body: '{"message":"User is unauthorized","status":403}',
      contentType: 'application/json',
    },
    says: /refused: you aren't allowed to list access tokens/,
    next: /privilege "Generate Personal Access Tokens"/,
  },
  {
    title: 'a 500 with a stack trace',
    fault: {
      kind: 'status',
      status: 500,
      body: JSON.stringify({ message: javaStack, status: 500 }),
      contentType: 'application/json',
    },
    says: /^The server failed on "listAccessTokens" \(HTTP 500\)(?!.*Search\.java)/,
    next: /server log/,
  },
  {
    title: 'a proxy in trouble',
    fault: { kind: 'status', status: 503 },
    says: /isn't ready \(HTTP 503\)/,
    next: /Try again in a moment/,
  },
  {
    title: 'a server that is asked too often',
    fault: { kind: 'status', status: 429, retryAfter: '90' },
    says: /Too many requests/,
    next: /in 90 s/,
  },
  {
    title: 'the page of a proxy',
    fault: { kind: 'html' },
    says: /This may not be a metadata service(?!.*<)/,
    next: /not that of a proxy or sign-in page/,
  },
  {
    title: 'half a document',
    fault: { kind: 'truncatedBody' },
    says: /This may not be a metadata service/,
    next: /Check that the address/,
  },
  {
    title: 'a connection that is cut',
    fault: { kind: 'cutBody' },
    says: /closed the connection unexpectedly/,
    next: /Try again/,
  },
];

suite('Failures in the tree', () => {
  const service = hostService();
  const person = new Person();
  suiteSetup(async () => {
    person.arrive();
    // Nobody creates tokens as this user: what is listed stays the same.
    await addConnection(person, connectionAs(service, 'operator', NAME));
    await rowsBelow(await rowAt(NAME, TOKENS));
  });
  setup(() => calm(service));
  teardown(() => person.assertNothingOpen());
  suiteTeardown(async () => {
    await calm(service);
    await removeConnections(person);
    person.depart();
  });

  for (const { title, fault, says, next } of CASES) {
    test(`${title} is a row with a reason and a next step, and refreshing recovers`, async () => {
      const before = await tokenRows();
      await callService(service, 'addFault', { fault, match: 'listAccessTokens', times: 'always' });
      await refresh(await rowAt(NAME, TOKENS));
      const failure = await failureBelow(TOKENS);
      assert.match(failure.label, says);
      assert.match(failure.description, next);
      assert.doesNotMatch(failure.label, /[\r\n]/);
      assert.equal(failure.item.contextValue, 'failure');
      assert.equal(failure.item.accessibilityInformation?.label, `Failure: ${failure.label} ${failure.description}`);
      // What was loaded stays below it.
      assert.deepEqual(await tokenRows(), before);

      await callService(service, 'clearFaults');
      await refresh(failure);
      assert.deepEqual(await tokenRows(), before);
      assert.equal((await rowsBelow(await rowAt(NAME, TOKENS))).length, before.length);
      assert.deepEqual(person.toldSoFar, [], 'a failure of the tree is no notification');
    });
  }

  test('an answer that does not come is given up after the time that is set', async () => {
    await callService(service, 'addFault', {
      fault: { kind: 'latency', millis: 600_000 },
      match: 'getIndexSizes',
      times: 'always',
    });
    await withSetting(SETTINGS.requestTimeoutSeconds, 5, async () => {
      await refresh(await rowAt(NAME, INDICES));
    });
    const failure = await failureBelow(INDICES);
    assert.match(failure.label, /didn't respond within 5 s/);
    assert.match(failure.description, /metadataService\.requestTimeoutSeconds/);
  });

  test('a redirect is not followed, and nothing reaches where it leads', async () => {
    const other = hostService('0.14');
    await callService(other, 'clearRequests');
    await callService(service, 'addFault', {
      fault: { kind: 'redirect', location: `${other.url}/api/graphql`, status: 307 },
      match: 'listAccessTokens',
      times: 'always',
    });
    await refresh(await rowAt(NAME, TOKENS));
    const failure = await failureBelow(TOKENS);
    assert.match(failure.label, /redirected the request/);
    assert.deepEqual(await callService(other, 'requests'), []);
  });

  test('what a user may not do is told with the privilege that is missing', async () => {
    await addConnection(person, connectionAs(service, 'guest', 'Guest'));
    const [tokens, indices] = await Promise.all([failureBelow(TOKENS, 'Guest'), failureBelow(INDICES, 'Guest')]);
    assert.match(tokens.label, /you aren't allowed to list access tokens/);
    assert.match(tokens.description, /"Generate Personal Access Tokens"/);
    assert.match(indices.label, /you aren't allowed to/);
    assert.match(indices.description, /privilege "Get Timeseries index sizes API"/i);
  });

  test('a token that is not accepted: Enter on the failure asks for another, and the tree comes to life', async () => {
    await addConnection(person, {
      ...connectionAs(service, 'analyst', 'Signed out'),
      token: 'not-a-token-of-this-server',
    });
    const failure = await failureBelow(TOKENS, 'Signed out');
    assert.match(failure.label, /Access token rejected/);
    const signedIn = pressEnter(failure);
    await person.types(/Sign In to "Signed out"/, tokenOf(service, 'analyst'));
    const found = (await person.offered(VERDICT, 'Sign In')).map(({ label }) => label);
    assert.ok(found.includes('$(person) Signed in as analyst'), found.join('\n'));
    await person.picks(VERDICT, 'Sign In');
    await signedIn;
    assert.ok((await rowsBelow(await rowAt('Signed out', TOKENS))).every(({ item }) => item.contextValue === 'token'));
  });

  test('a server that is not there: the connection can be saved anyway and says what to check', async () => {
    const baseUrl = `http://127.0.0.1:${await portOfNobody()}`;
    await addConnection(person, { baseUrl, actor: 'admin', token: '', name: 'Nobody' });
    const failure = await failureBelow(TOKENS, 'Nobody');
    assert.match(failure.label, /^Can't reach 127\.0\.0\.1:\d+\.$/);
    assert.match(failure.description, /server is running/);
  });

  test('the details of a failure can be copied, and hold nothing secret', async () => {
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
    assert.match(copied, new RegExp(`^Connection: ${NAME}$`, 'm'));
    const shown = [
      copied,
      failure.label,
      failure.description,
      failure.item.tooltip,
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

async function failureBelow(group: string, connection = NAME): Promise<Row> {
  const [first] = await rowsBelow(await rowAt(connection, group));
  assert.equal(first?.item.contextValue, 'failure', `no failure below ${group} but ${first?.label}`);
  assert.ok(await findRow([connection, group, first.label]));
  return first;
}

/** A port of this machine that was free a moment ago. */
async function portOfNobody(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
