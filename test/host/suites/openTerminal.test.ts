import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { inQuickTime } from '../vscode/quickTime.ts';
import { chooseRoleElsewhere } from './support/anotherWindow.ts';
import { connectionAs, leaveNothing, saveConnection, tokenOf } from './support/connections.ts';
import { personAt } from './support/fixtures.ts';
import { answerWith, requestsWith } from './support/requests.ts';
import { withWorkspaceSettings } from './support/settings.ts';
import { TOKENS, holderOf, revokeAddedSince, revokesAddedTokens } from './support/tokens.ts';
import { refresh, rowAt, rowsBelow } from './support/tree.ts';
import { PATIENCE_MS, until } from './support/until.ts';

const NAME = 'Terminals';
const QUESTION = /^Open a terminal with an access token for "/;
const FRESH = 'New Token for One Hour';
/** Values that the profiles of these tests set. No text has one. */
const PROFILE_VALUES = /gms\.prod|\b8080\b|corp/;
/** Variables of a program in the terminal, and the service's answer to it. */
interface Seen {
  readonly variables: Readonly<Record<string, string>>;
  readonly proxies: Readonly<Record<string, string>>;
  readonly status: number;
  readonly user: string | undefined;
}

/** Runs in the terminal. Writes a file once it is whole. */
const PROGRAM = `
const variables = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('DATAHUB_')));
const proxies = { NO_PROXY: process.env.NO_PROXY, no_proxy: process.env.no_proxy };
const headers = { authorization: 'Bearer ' + variables.DATAHUB_GMS_TOKEN, 'content-type': 'application/json' };
const body = JSON.stringify({ query: '{ me { corpUser { urn } } }' });
fetch(variables.DATAHUB_GMS_URL + '/api/graphql', { method: 'POST', headers, body }).then(async (answer) => {
  const user = (await answer.json()).data?.me.corpUser.urn;
  const fs = require('node:fs');
  fs.writeFileSync(process.argv[2] + '.part', JSON.stringify({ variables, proxies, status: answer.status, user }));
  fs.renameSync(process.argv[2] + '.part', process.argv[2]);
});`;

/** True if this VS Code can start a shell. */
async function hasTerminals(): Promise<boolean> {
  const terminal = vscode.window.createTerminal();
  const end = new Promise<undefined>((resolve) => void setTimeout(resolve, PATIENCE_MS));
  const process = await Promise.race([terminal.processId, end]);
  terminal.dispose();
  return process !== undefined;
}

suite('A terminal with an access token', () => {
  const service = hostService();
  let folder = '';
  let id = '';
  suiteSetup(async function openATerminal() {
    // The oldest VS Code from the package registry comes without the program that starts shells.
    if (!(await hasTerminals())) this.skip();
    folder = await mkdtemp(join(tmpdir(), 'terminal-'));
    await writeFile(join(folder, 'program.cjs'), PROGRAM);
  });
  teardown(closeAll);
  const before = revokesAddedTokens(service);
  const person = personAt(service);
  setup(async () => {
    id = await saveConnection(connectionAs(service, 'admin', NAME));
  });
  suiteTeardown(() => rm(folder, { recursive: true, force: true }));

  test('runs commands with a new token of one hour, which is revoked when it closes', async () => {
    const terminal = await openTerminal();
    const { variables, status, user } = await runIn(terminal);
    const { DATAHUB_GMS_TOKEN: token = '', ...others } = variables;
    assert.deepEqual([status, user, others], [200, 'urn:li:corpuser:admin', { DATAHUB_GMS_URL: service.url }]);
    assert.notEqual(token, tokenOf(service, 'admin'));
    const [record] = await terminalTokens();
    assert.equal((record?.expiresAt ?? 0) - (record?.createdAt ?? 0), 3_600_000);
    assert.equal((await requestsWith(service, 'createAccessToken')).length, 1);
    const message = messageOf(terminal);
    assert.match(
      message,
      /^Commands in this terminal act as admin on \S+\. Its token is revoked if you close this terminal while this window is open; otherwise it works until .+\.$/,
    );
    assert.ok(!message.includes(token));
    // It was given out: nothing is left to copy.
    await refresh(await rowAt(NAME, TOKENS));
    const rows = await rowsBelow(await rowAt(NAME, TOKENS));
    assert.deepEqual(
      rows.filter(({ item }) => item.contextValue?.includes('held')).map(({ label }) => label),
      [],
    );

    const plain = vscode.window.createTerminal('plain');
    await close(plain);
    assert.deepEqual(await requestsWith(service, 'revokeAccessToken'), [], 'another terminal was closed');

    await close(terminal);
    await until('the revocation', async () => (await terminalTokens()).length === 0);
    assert.equal(await holderOf(service, token), undefined);
    assert.equal((await requestsWith(service, 'revokeAccessToken')).length, 1);
  });

  test('goes to the server of the connection, whatever the workspace sets', async () => {
    const elsewhere = {
      DATAHUB_GMS_URL: 'http://127.0.0.1:9',
      DATAHUB_GMS_HOST: '127.0.0.1',
      DATAHUB_GMS_PORT: '9',
      DATAHUB_GMS_PROTOCOL: 'http',
      DATAHUB_AUTH_TYPE: 'oauth',
    };
    const settings = Object.fromEntries(
      ['linux', 'osx', 'windows'].map((system) => [`terminal.integrated.env.${system}`, elsewhere]),
    );
    await withWorkspaceSettings(settings, async () => {
      const { variables } = await runIn(await openTerminal());
      assert.deepEqual(Object.keys(variables).toSorted(), ['DATAHUB_GMS_TOKEN', 'DATAHUB_GMS_URL']);
      assert.equal(variables['DATAHUB_GMS_URL'], service.url);
      assert.match(variables['DATAHUB_GMS_TOKEN'] ?? '', /^eyJ/);
    });
  });

  test("names the variables that the shell's profile sets and unsets, without their values", async function () {
    const names = 'DATAHUB_GMS_PORT, DATAHUB_GMS_TOKEN, DATAHUB_GMS_URL, NO_PROXY';
    const profile = `unset DATAHUB_GMS_TOKEN; export DATAHUB_GMS_URL=http://gms.prod DATAHUB_GMS_PORT=8080
      export http_proxy=http://gms.prod:8080 NO_PROXY=corp.internal`;
    await withProfile(this, profile, async (home) => {
      const said = `^The shell's profile changes ${names}, so commands may not act as admin on http:.* elsewhere\\.$`;
      await person.runs(COMMANDS.tokenOpenTerminal, await rowAt(NAME), QUESTION);
      assert.equal((await requestsWith(service, 'createAccessToken')).length, 0);

      const terminal = await openTerminal(new RegExp(said, 'm'));
      const message = messageOf(terminal);
      assert.ok(message.startsWith(`The shell's profile changes ${names}, so commands may not act as admin on http`));
      assert.match(message, / elsewhere\. Remove that from the profile, and open the terminal again\. Its token is/);
      assert.doesNotMatch(message, PROFILE_VALUES);

      terminal.sendText('exit');
      const history = (): Promise<string> => readFile(join(home, '.bash_history'), 'utf8').catch(() => '');
      await until('the history', async () => (await history()).includes('exit'));
      assert.doesNotMatch(await history(), /awk/);
      await until('the revocation', async () => (await terminalTokens()).length === 0);
    });
  });

  test("says nothing of a profile that leaves the connection's address and token as they are", async function () {
    const profile = `export DATAHUB_GMS_URL=${service.url} DATAHUB_GMS_BASE_PATH=/x http_proxy=http://127.0.0.1:9`;
    await withProfile(this, profile, async () => {
      const { status, variables } = await runIn(await openTerminal());
      assert.deepEqual([status, variables['DATAHUB_GMS_BASE_PATH']], [200, '/x']);
    });
  });

  test('lets a profile that it does not wait for run to its end', async function () {
    const profile = 'until [ -e ~/go-on ]; do sleep 0.05; done; echo >> ~/runs';
    await withProfile(this, profile, async (home) => {
      await inQuickTime(() => openTerminal(/unless the shell's profile overrides/m));
      await writeFile(join(home, 'go-on'), '');
      // One run in the hidden terminal, one in the opened one.
      await until('both runs', async () => (await readFile(join(home, 'runs'), 'utf8').catch(() => '')) === '\n\n');
    });
  });

  test('says that the profile wins where the shell has no integration', async () => {
    await withWorkspaceSettings({ 'terminal.integrated.shellIntegration.enabled': false }, async () => {
      const terminal = await openTerminal(
        /^Commands in this terminal act as admin on \S+, unless the shell's profile overrides/m,
      );
      assert.match(
        messageOf(terminal),
        /^Commands in this terminal act as admin on \S+, unless the shell's profile overrides/,
      );
    });
  });

  test("keeps a service of this machine from the proxy, with the user's own exceptions", async () => {
    const { proxies } = await runIn(await openTerminal());
    const exceptions = [process.env['no_proxy'] ?? '', 'exempt.test', '127.0.0.1'].join(',');
    assert.deepEqual(proxies, { NO_PROXY: exceptions, no_proxy: exceptions });
  });

  test('goes behind a front end', async () => {
    await leaveNothing(person);
    await saveConnection({ ...connectionAs(service, 'admin', NAME), baseUrl: service.frontUrl });
    const { variables, status } = await runIn(await openTerminal());
    assert.deepEqual([variables['DATAHUB_GMS_URL'], status], [`${service.frontUrl}/api/gms`, 200]);
  });

  test('creates and revokes nothing through a read-only connection', async () => {
    const terminal = await openTerminal();
    const { variables } = await runIn(terminal);
    await chooseRoleElsewhere(id, 'readOnly');
    await vscode.commands.executeCommand(COMMANDS.tokenOpenTerminal, (await rowAt(NAME)).node);
    await person.seesNotification(/^Terminals: This connection is read-only\. Nothing was sent\. To allow changes,/);
    assert.equal((await requestsWith(service, 'createAccessToken')).length, 1);
    await close(terminal);
    await person.seesNotification(/may not have been revoked on ".+"\. The token expires on/);
    assert.equal((await requestsWith(service, 'revokeAccessToken')).length, 0);
    assert.equal(await holderOf(service, variables['DATAHUB_GMS_TOKEN'] ?? ''), 'urn:li:corpuser:admin');
  });

  test('is not opened with a token that was created for a connection that signed out meanwhile', async () => {
    await callService(service, 'addFault', {
      fault: { kind: 'latency', millis: 3_600_000 },
      match: 'createAccessToken',
    });
    const open = openTerminals().length;
    const opened = vscode.commands.executeCommand(COMMANDS.tokenOpenTerminal, (await rowAt(NAME)).node);
    await person.answers(QUESTION, FRESH);
    await until('the creation', async () => (await requestsWith(service, 'createAccessToken')).length === 1);
    await person.runs(COMMANDS.connectionSignOut, await rowAt(NAME), /^Sign out of "/, 'Sign Out');
    await callService(service, 'clearFaults');
    await opened;
    assert.equal(openTerminals().length, open);
  });

  test('says that a token was created where it is not opened, and the server did not return its ID', async () => {
    const created = { accessToken: 'a.${env:HOME}.token', metadata: null };
    await answerWith(service, 'createAccessToken', 200, { data: { createAccessToken: created } });
    const opened = vscode.commands.executeCommand(COMMANDS.tokenOpenTerminal, (await rowAt(NAME)).node);
    await person.answers(QUESTION, FRESH);
    await person.seesNotification(
      /^Terminals: This access token can't be passed to a terminal\. A token was created\. The server didn't return the token's ID, so it can't be revoked here\. It expires on/,
    );
    await opened;
  });

  test('closes without an alarm once its token was revoked in the tree, or by another client', async () => {
    // Without the privilege to manage tokens, a server calls a missing token another user's.
    await leaveNothing(person);
    await saveConnection(connectionAs(service, 'analyst', NAME));
    const first = await openTerminal();
    const row = await rowOfToken();
    await person.runs(COMMANDS.tokenRevoke, row, /^Revoke/, /^Revoke/);
    await close(first);
    await refresh(await rowAt(NAME, TOKENS));
    assert.equal((await requestsWith(service, 'revokeAccessToken')).length, 1, 'it was sent again');

    const second = await openTerminal();
    // Once it was listed, one look is enough.
    await callService(service, 'refreshTokens');
    await refresh(await rowAt(NAME, TOKENS));
    await rowOfToken();
    await revokeAddedSince(service, before());
    const sent = (await requestsWith(service, 'revokeAccessToken')).length;
    await close(second);
    await until('the last one', async () => (await requestsWith(service, 'revokeAccessToken')).length === sent + 1);
    // Refused, so it is looked up.
    await until('its listing', async () => {
      const requests = await callService(service, 'requests');
      const at = requests.findLastIndex(({ body }) => body.includes('revokeAccessToken'));
      return requests.slice(at).some(({ body }) => body.includes('listAccessTokens'));
    });
    await refresh(await rowAt(NAME, TOKENS));
    assert.ok(!person.toldSoFar.some((text) => text.includes('closed terminal')));
  });

  /**
   * Asks again while a busy machine keeps the shell from naming its profile's variables in time.
   * @param said In the question.
   */
  async function openTerminal(said = /^Commands in this terminal act as \S+ on \S+\.$/m): Promise<vscode.Terminal> {
    const others = new Set(openTerminals());
    await until(`a question with ${said}`, async () => {
      const opened = vscode.commands.executeCommand(COMMANDS.tokenOpenTerminal, (await rowsBelow())[0]?.node);
      const { detail } = await person.isAsked(QUESTION);
      assert.doesNotMatch(detail, PROFILE_VALUES);
      const isSaid = said.test(detail);
      await person.answers(QUESTION, isSaid ? FRESH : undefined);
      await opened;
      return isSaid;
    });
    return until('the terminal', () => openTerminals().find((one) => !others.has(one)));
  }

  /** Does the work while new shells are bash with this profile. */
  async function withProfile(
    context: Mocha.Context,
    profile: string,
    work: (home: string) => Promise<void>,
  ): Promise<void> {
    if (process.platform !== 'linux') {
      // Other systems have other shells and files of theirs.
      context.skip();
    }
    const home = await mkdtemp(join(folder, 'home-'));
    await writeFile(join(home, '.bashrc'), `${profile}\n`);
    const settings = {
      'terminal.integrated.env.linux': { HOME: home },
      'terminal.integrated.defaultProfile.linux': 'bash',
    };
    await withWorkspaceSettings(settings, () => work(home));
  }

  async function runIn(terminal: vscode.Terminal): Promise<Seen> {
    const result = join(folder, `${crypto.randomUUID()}.json`);
    terminal.sendText(`"${process.execPath}" "${join(folder, 'program.cjs')}" "${result}"`);
    return until(
      'the command to end',
      async () => JSON.parse(await readFile(result, 'utf8').catch(() => 'null')) as Seen | null,
    );
  }

  async function close(terminal: vscode.Terminal): Promise<void> {
    terminal.dispose();
    await until('the terminal to close', () => !vscode.window.terminals.includes(terminal));
  }

  async function closeAll(): Promise<void> {
    const open = openTerminals();
    await Promise.all(open.map(close));
    if (open.length > 0) {
      await until('the revocations', async () => (await terminalTokens()).length === 0);
    }
  }

  async function rowOfToken() {
    return (
      (await rowsBelow(await rowAt(NAME, TOKENS))).find(({ label }) => label.startsWith('vscode terminal')) ??
      assert.fail()
    );
  }

  async function terminalTokens() {
    return (await callService(service, 'tokens')).filter(({ name }) => name.startsWith('vscode terminal'));
  }
});

function messageOf(terminal: vscode.Terminal): string {
  return (terminal.creationOptions as vscode.TerminalOptions).message ?? '';
}

/** Without a hidden one that is just closing. */
function openTerminals(): readonly vscode.Terminal[] {
  return vscode.window.terminals.filter(
    ({ creationOptions }) => !('hideFromUser' in creationOptions && creationOptions.hideFromUser === true),
  );
}
