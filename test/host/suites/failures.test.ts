import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, CONTEXT_KEYS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, saveConnection, tokenOf } from './support/connections.ts';
import { personWith } from './support/fixtures.ts';
import { answerWith, requestsWith } from './support/requests.ts';
import { TOKENS } from './support/tokens.ts';
import { findRow, onlyFailureOf, pressEnter, refresh, rowAt, rowsBelow, tooltipOf, type Row } from './support/tree.ts';
import { INDICES } from './support/truncations.ts';

const NAME = 'Failures';

suite('Failures in the tree', () => {
  const service = hostService();
  const person = personWith(service, async () => {
    // No test creates tokens as this user, so the list stays the same.
    await saveConnection(connectionAs(service, 'operator', NAME));
    await rowsBelow(await rowAt(NAME, TOKENS));
  });

  test('a 500 is a row with a reason, without its stack trace, and a next step, and refreshing recovers', async () => {
    const before = await tokenRows();
    const message = 'java.lang.RuntimeException: no such index\n\tat com.example.Search.run(Search.java:42)';
    await answerWith(service, 'listAccessTokens', 500, { message });
    await refresh(await rowAt(NAME, TOKENS));
    const failure = await failureBelow(TOKENS);
    // A folded list shows its failure too.
    const group = await rowAt(NAME, TOKENS);
    assert.ok(group.item.iconPath instanceof vscode.ThemeIcon && group.item.iconPath.id === 'warning');
    assert.match(group.spoken, /, Server error \(500\)$/);
    assert.deepEqual([failure.label, failure.description], ['Server error (500)', 'Try again']);
    assert.match(
      failure.spoken,
      /^Failure: Server error \(500\)\. The server failed on "listAccessTokens" \(HTTP 500\)/,
    );
    assert.doesNotMatch(failure.spoken, /[\r\n]|Search\.java/);
    assert.match(await wholeOf(failure), /The server failed on "listAccessTokens" \(HTTP 500\)(?!.*Search\.java)/);
    assert.match(await wholeOf(failure), /server log/);
    // Loaded rows stay below it.
    assert.deepEqual(await tokenRows(), before);

    await callService(service, 'clearFaults');
    await refresh(failure);
    assert.deepEqual(await tokenRows(), before);
    assert.ok(!(await rowsBelow(await rowAt(NAME, TOKENS))).some(({ item }) => item.contextValue === 'failure'));
    assert.deepEqual(person.toldSoFar, [], 'a failure of the tree is no notification');
  });

  test('a refusal names the missing privilege', async () => {
    const { executeCommand } = vscode.commands;
    const counts: unknown[] = [];
    vscode.commands.executeCommand = (command, ...given: unknown[]) => {
      if (command === 'setContext' && given[0] === CONTEXT_KEYS.creatableConnectionCount) counts.push(given[1]);
      return executeCommand(command, ...given);
    };
    await saveConnection(connectionAs(service, 'guest', 'Guest'));
    await rowsBelow(await rowAt('Guest', TOKENS)).finally(() => (vscode.commands.executeCommand = executeCommand));
    assert.deepEqual(counts, [2, 1], 'the palette may offer to create tokens');
    const [tokens, indices] = await Promise.all([failureBelow(TOKENS, 'Guest'), failureBelow(INDICES, 'Guest')]);
    assert.deepEqual([tokens.label, tokens.description], ['Not allowed', 'needs "Generate Personal Access Tokens"']);
    assert.match(await wholeOf(tokens), /you aren't allowed to list access tokens/);
    assert.deepEqual([indices.label, indices.description], ['Not allowed', 'needs "Get Timeseries index sizes API"']);
    assert.match(await wholeOf(indices), /Ask a server administrator for the privilege/);
    assert.equal((await rowAt('Guest', TOKENS)).item.contextValue, 'tokens;cannotCreateOwn;cannotCreate');
    // A missing privilege is no failure of the connection.
    assert.equal((await rowAt('Guest')).description, '');
  });

  test('a missing privilege to create is told before a name is asked', async () => {
    const oldest = hostService('0.14');
    // Off by default in 0.14.
    await callService(oldest, 'setAuthentication', true);
    await saveConnection(connectionAs(oldest, 'guest', 'Guest of 0.14'));
    await failureBelow(TOKENS, 'Guest of 0.14');
    const created = vscode.commands.executeCommand(COMMANDS.tokenCreate, (await rowAt('Guest of 0.14')).node);
    await person.seesNotification(
      /^Guest of 0\.14: .*aren't allowed to create access tokens\. Ask .*"Generate Personal/,
    );
    await created;
    assert.deepEqual(await requestsWith(oldest, 'createAccessToken'), []);
    await callService(oldest, 'setAuthentication', false);
  });

  test('a token that is not accepted: Enter on the failure asks for another one, and the tree recovers', async () => {
    await saveConnection({ ...connectionAs(service, 'analyst', 'Signed out'), token: 'not-a-token-of-this-server' });
    const failure = await onlyFailureOf('Signed out');
    assert.deepEqual([failure.label, failure.description], ['Token rejected (401)', 'Sign in…']);
    assert.equal((failure.item.iconPath as vscode.ThemeIcon).id, 'sign-in');
    assert.deepEqual(await shownTrouble('Signed out'), ['', 'warning', 'Signed out, Token rejected (401)']);
    const signedIn = pressEnter(failure);
    await person.types(/Sign In to "Signed out"/, tokenOf(service, 'analyst'));
    await signedIn;
    assert.match((await rowsBelow(await rowAt('Signed out', TOKENS)))[0]?.item.contextValue ?? '', /^token\b/);
    assert.deepEqual(await shownTrouble('Signed out'), ['', 'server-environment', 'Signed out']);
  });

  for (const [what, status, body, headline] of [
    ['a gateway refuses', 403, '<html>Blocked</html>', 'Not allowed (403)'],
    ['a gateway fails', 500, '<html>Oops</html>', 'Server error (500)'],
    ['a gateway limits', 429, '', 'Too many requests (429)'],
    ['the address is wrong', 404, '<html>Nothing here</html>', 'Not found (404)'],
    ['a page answers', 200, '<html>Welcome</html>', 'Unexpected response'],
  ] as const) {
    test(`both lists have one row if ${what}, and the row of the connection only an icon`, async () => {
      for (const match of ['listAccessTokens', 'getIndexSizes']) {
        const fault = { kind: 'status', status, body, contentType: 'text/html' } as const;
        await callService(service, 'addFault', { fault, match, times: 'always' });
      }
      await refresh(await rowAt(NAME));
      const failure = await onlyFailureOf(NAME);
      assert.deepEqual([failure.label, failure.description], [headline, 'Try again']);
      assert.deepEqual(await shownTrouble(NAME), ['', 'warning', `${NAME}, ${headline}`]);
    });
  }

  test('lists that fail for different reasons have one row, which asks to sign in if that is one of them', async () => {
    await answerWith(service, 'getIndexSizes', 503);
    await answerWith(service, 'listAccessTokens', 401);
    await refresh(await rowAt(NAME));
    const failure = await onlyFailureOf(NAME);
    assert.deepEqual(
      [failure.label, failure.item.command?.command],
      ['Token rejected (401)', COMMANDS.connectionSignIn],
    );
  });

  test('a list for picking several tokens shows the whole failure, without check boxes', async () => {
    const message = 'The search index behind the access tokens is being rebuilt, which can take until tomorrow morning';
    await answerWith(service, 'listAccessTokens', 500, { message });
    await saveConnection(connectionAs(service, 'operator', 'No list'));
    const revoked = vscode.commands.executeCommand(COMMANDS.tokenRevoke, (await rowAt('No list')).node);
    const items = await person.offered(/Select access tokens/, 'Server error (500)');
    const told = items.map(({ label }) => label.replace(/^\$\([\w-]+\) /, '')).join(' ');
    assert.ok(told.includes(message), told);
    assert.equal(await person.checksSeveral(/Select access tokens/), false);
    await person.leaves(/Select access tokens/);
    await revoked;
    await person.seesNotification(/search index behind the access tokens/);
  });

  async function shownTrouble(connection: string): Promise<readonly (string | undefined)[]> {
    const { item, description, spoken } = await rowAt(connection);
    return [description, item.iconPath instanceof vscode.ThemeIcon ? item.iconPath.id : undefined, spoken];
  }

  async function tokenRows(): Promise<string[]> {
    const rows = await rowsBelow(await rowAt(NAME, TOKENS));
    return rows.filter(({ item }) => item.contextValue === 'token').map(({ label }) => label);
  }
});

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
