import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, type CommandId } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { currentActivation, installedExtension } from './support/extension.ts';
import { personWith } from './support/fixtures.ts';
import { HELD, TOKENS, createToken, holderOf, recordOf } from './support/tokens.ts';
import { rowAt, rowsBelow, type Row } from './support/tree.ts';
import { INDICES } from './support/truncations.ts';

const NAME = 'Forged';
const WHICH = /Select a connection/;
/** Commands that ask nothing about a connection, whatever their arguments. */
const ASK_NOTHING = new Set<CommandId>([
  COMMANDS.connectionAdd,
  COMMANDS.connectionUse,
  COMMANDS.indexSort,
  COMMANDS.tokenSort,
  // Asks for a token first: `inspectToken.test.ts`.
  COMMANDS.tokenInspect,
  COMMANDS.explorerRefresh,
  COMMANDS.failureCopyDetails,
  COMMANDS.logShow,
  COMMANDS.helpGuide,
  COMMANDS.helpTroubleshooting,
]);

suite('Arguments from another extension', () => {
  const service = hostService();
  let id = '';
  const person = personWith(service, async () => {
    id = await saveConnection(connectionAs(service, 'admin', NAME));
    await saveConnection(connectionAs(service, 'analyst', 'Forged too'));
    await createToken(person, NAME, { name: 'held here' });
    // Loaded with the tree, so requests may arrive late.
    for (const name of [NAME, 'Forged too']) {
      for (const list of [TOKENS, INDICES]) await rowsBelow(await rowAt(name, list));
    }
  });
  setup(() => vscode.env.clipboard.writeText('untouched'));

  test('are ignored by every command: it asks, and has done nothing before', async () => {
    const asking = Object.values(COMMANDS).filter((command) => !ASK_NOTHING.has(command));
    assert.ok(asking.length > 20);
    for (const command of asking) {
      const forged = await forgedRow();
      const done = vscode.commands.executeCommand(command, forged, [forged, forged]);
      await person.leaves(command === COMMANDS.tokenCopy ? HELD : WHICH);
      assert.equal(await done, undefined, `${command} gives something away`);
    }
    await assertNothingHappened();
  });

  test('are not executed: a row that refreshes itself is not called', async () => {
    let ran = 0;
    const run = (): Promise<void> => Promise.resolve(void ran++);
    const forged = { ...(await forgedRow()), refresh: run, item: run, children: run, parent: undefined };
    await vscode.commands.executeCommand(COMMANDS.explorerRefresh, forged);
    await vscode.commands.executeCommand(COMMANDS.failureCopyDetails, { ...forged, failure: new Error('forged') });
    await vscode.commands.executeCommand(COMMANDS.logShow, forged);
    assert.equal(ran, 0);
    assert.equal(await vscode.env.clipboard.readText(), 'untouched');
    // A command without a handler would report an internal error.
    assert.deepEqual(person.toldSoFar, []);
  });

  test('reveal no held token in a list that another extension answers: the user must confirm', async () => {
    const refused = vscode.commands.executeCommand(COMMANDS.tokenCopy);
    await person.picks(HELD, 'held here');
    const question = await person.answers(/^Copy the access token "held here" from ".+"\?$/);
    assert.deepEqual(question.buttons, ['Copy Token']);
    assert.match(question.detail, /^Acts as admin\nCreated /);
    await refused;
    assert.equal(await vscode.env.clipboard.readText(), 'untouched');

    const copied = vscode.commands.executeCommand(COMMANDS.tokenCopy);
    await person.picks(HELD, 'held here');
    await person.answers(/^Copy the access token "held here" from ".+"\?$/, 'Copy Token');
    await copied;
    assert.equal(await holderOf(service, await vscode.env.clipboard.readText()), 'urn:li:corpuser:admin');
  });

  test('reveal no held token that was revoked while the question was open', async () => {
    await createToken(person, NAME, { name: 'revoked meanwhile' });
    const row = await rowAt(NAME, TOKENS, 'revoked meanwhile');
    await vscode.env.clipboard.writeText('untouched');
    const copied = vscode.commands.executeCommand(COMMANDS.tokenCopy, row.node);
    await person.isAsked(/^Copy the access token "revoked meanwhile" from ".+"\?$/);
    await person.runs(COMMANDS.tokenRevoke, row, /^Revoke the access token "revoked meanwhile" on ".+"\?$/, 'Revoke');
    await person.answers(/^Copy the access token "revoked meanwhile" from ".+"\?$/, 'Copy Token');
    await copied;
    assert.equal(await vscode.env.clipboard.readText(), 'untouched');
  });

  async function forgedRow(): Promise<object> {
    const token = { id: (await recordOf(service, 'held here'))?.id ?? assert.fail(), urn: '', actorUrn: '' };
    const index = {
      indexName: 'dataset_operationaspect_v1',
      entityType: 'dataset',
      aspect: 'operation',
      isAdded: true,
    };
    return { connectionId: id, token, index, recordId: 'a', record: {}, item: () => undefined };
  }

  async function assertNothingHappened(): Promise<void> {
    assert.equal(await vscode.env.clipboard.readText(), 'untouched');
    // The tree lists tokens again a while after one was created.
    const requests = await callService(service, 'requests');
    assert.deepEqual(
      requests.filter(({ body }) => !body.includes('query listAccessTokens')),
      [],
    );
  }
});

suite('A row of the tree', () => {
  const service = hostService();
  personWith(service, () => saveConnection(connectionAs(service, 'admin', NAME)));

  test('is passed to VS Code without any content, and so are the arguments of its command', async () => {
    const rows = await allBelow();
    assert.ok(rows.length > 20);
    for (const { node, item, label } of rows) {
      assertSaysNothing(node, label);
      for (const argument of (item.command?.arguments ?? []) as unknown[]) {
        assertSaysNothing(argument, label);
      }
    }
  });

  function assertSaysNothing(row: unknown, label: string): void {
    assert.ok(typeof row === 'object' && row !== null, label);
    assert.deepEqual(
      [Reflect.ownKeys(row), Object.getPrototypeOf(row), Object.isFrozen(row)],
      [[], Object.prototype, true],
      label,
    );
  }

  /** All rows of the tree. */
  async function allBelow(row?: Row): Promise<Row[]> {
    const rows = await rowsBelow(row);
    return [...rows, ...(await Promise.all(rows.map((one) => allBelow(one)))).flat()];
  }
});

suite('The API for other extensions', () => {
  const service = hostService();
  personWith(service, () => saveConnection(connectionAs(service, 'admin', NAME)));

  test('offers no way to act, and gives connections without their roles and sign-ins', async () => {
    const { exports: api } = installedExtension();
    assert.ok(Object.isFrozen(api));
    assert.equal(api.version, 2);
    // The others exist only in tests.
    const { explorer: _tree, context: _context, loadStore: _loadStore, ...given } = api;
    assert.deepEqual(Object.keys(given).toSorted(), ['connections', 'onDidChangeConnections', 'version']);
    const [connection = {}, ...others] = await currentActivation().api.connections();
    assert.deepEqual(others, []);
    assert.deepEqual(Object.keys(connection).toSorted(), ['actorUrn', 'baseUrl', 'id', 'name']);
  });
});
