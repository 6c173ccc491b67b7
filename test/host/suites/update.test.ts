import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { stateOf } from '../../stored/state.ts';
import { STORED, type Stored } from '../../stored/stored.ts';
import { callService, hostService } from '../context.ts';
import { ADDRESS, ANYWAY, ROLE, TOKEN, VERDICT, removeConnections, tokenOf } from './support/connections.ts';
import { activated, currentActivation } from './support/extension.ts';
import { openWizard } from './support/openWizard.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import { inThisRun, leaveNothingStored, update } from './support/storedState.ts';
import { TOKENS } from './support/tokens.ts';
import { labelsBelow, refresh, rowAt, rowsBelow, textOf, tooltipOf } from './support/tree.ts';
import { INDICES, TRUNCATIONS, dryRun, truncations } from './support/truncations.ts';
import { until } from './support/until.ts';

const RELEASED = Object.keys(STORED);
/** An aspect of a custom model, unknown to DataHub. */
const OPERATION = { entityType: 'datajob', aspect: 'operation' };

suite('The stored state of version 0.1.0, after an update', () => {
  const service = hostService();
  const spec = hostService('spec');
  const person = new Person();
  let stored: Stored;
  suiteSetup(async () => {
    person.arrive();
    await activated();
    await vscode.commands.executeCommand('workbench.view.explorer');
  });
  setup(async () => {
    await removeConnections(person);
    await callService(service, 'restoreRows');
    await callService(spec, 'restoreRows');
    stored = await inThisRun('0.1.0');
    await update(stored);
    await Promise.all([calm(service), calm(spec)]);
  });
  teardown(async () => {
    await vscode.window.tabGroups.close(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs));
    await Promise.all([calm(service), calm(spec)]);
    await leaveNothingStored(person);
  });
  suiteTeardown(() => person.depart());

  test('the connections are there, except one whose removal was interrupted', async () => {
    const connections = currentActivation().api.connections();
    assert.deepEqual(
      connections.map(({ name, baseUrl, actorUrn }) => [name, baseUrl, actorUrn]),
      [
        ['Own token', service.url, 'urn:li:corpuser:analyst'],
        ['Plain HTTP', 'http://metadata.example.com:8080/behind/a/path', 'urn:li:corpuser:jdoe'],
        ['Production', service.url, 'urn:li:corpuser:admin'],
        ['Signed out', service.url, 'urn:li:corpuser:watcher'],
        ['To the letter', spec.url, 'urn:li:corpuser:operator'],
      ],
    );
    assert.deepEqual(
      (await rowsBelow()).map(({ label }) => label),
      connections.map(({ name }) => name),
    );
  });

  test('signed-in connections are still signed in with the same token, and others are not', async () => {
    for (const [name, server, token] of [
      ['Production', service, tokenOf(service, 'admin')],
      ['To the letter', spec, tokenOf(spec, 'operator')],
      ['Own token', service, credentialIn(stored, 'Own token')],
    ] as const) {
      await calm(server);
      // Other suites leave tokens, which may exceed a page.
      const listed = (await rowsBelow(await rowAt(name, TOKENS))).map(({ item }) => item.contextValue);
      assert.ok(listed.includes('token') && listed.every((value) => value === 'token' || value === 'loadMore'), name);
      const [listing] = await requestsWith(server, 'listAccessTokens');
      assert.equal(listing?.headers.authorization, `Bearer ${token}`, name);
      assert.equal((await rowAt(name)).item.contextValue, 'connection;signedIn');
    }
    await calm(service);
    await rowsBelow(await rowAt('Signed out', TOKENS));
    assert.ok((await callService(service, 'requests')).every(({ headers }) => headers.authorization === undefined));
    assert.equal((await rowAt('Signed out')).item.contextValue, 'connection;signedOut');
  });

  test('no connection has a role, no question asks for one, and Set Connection Role sets it', async () => {
    assert.equal((await rowAt('Production')).description, 'admin');
    person.assertNothingOpen();
    const changed = vscode.commands.executeCommand(COMMANDS.connectionSetRole, (await rowAt('Production')).node);
    const offered = await person.offered(ROLE, 'Production');
    assert.equal(offered.find(({ label }) => label === 'Production')?.description, 'suggested by "production"');
    await person.picks(ROLE, 'Production');
    await changed;
    assert.equal((await rowAt('Production')).description, 'production · admin');
    assert.equal((await rowAt('To the letter')).description, 'operator');
  });

  test('the connection in use is the same', async () => {
    const expanded = (await rowsBelow()).filter(
      ({ item }) => item.collapsibleState === vscode.TreeItemCollapsibleState.Expanded,
    );
    assert.deepEqual(
      expanded.map(({ label }) => label),
      ['Production'],
    );
  });

  test('a typed product is named in the header', async () => {
    await rowsBelow(await rowAt('Own token', TOKENS));
    const [listing] = await requestsWith(service, 'listAccessTokens');
    assert.equal(listing?.headers['x-acme-meta-actor'], 'urn:li:corpuser:analyst');
  });

  test('a consent to plain HTTP is still valid, and the token of that connection is there', async () => {
    const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt('Plain HTTP')).node);
    await person.tries(ADDRESS, 'http://metadata.example.com:8080/behind/a/path', ANYWAY);
    await person.picks(ADDRESS, ANYWAY);
    await person.comesTo(/Leave empty/);
    await person.types(TOKEN, '');
    const found = (await person.offered(VERDICT, 'Name: Plain HTTP')).map(({ label }) => label);
    assert.ok(found.includes('$(person) User: jdoe'), found.join('\n'));
    await person.leaves(VERDICT);
    await edited;
  });

  test('known facts about a server are not requested again, but its schema is, once', async () => {
    await rowsBelow(await rowAt('To the letter', TOKENS));
    await rowsBelow(await rowAt('To the letter', INDICES));
    const sizes = await requestsWith(spec, 'getIndexSizes');
    assert.deepEqual(
      sizes.map(({ status }) => status),
      [200],
    );
    await calm(spec);
    await refresh(await rowAt('To the letter', TOKENS));
    assert.deepEqual(
      (await callService(spec, 'requests')).map(({ body }) => /\b(listAccessTokens|__type)\b/.exec(body)?.[0]),
      ['listAccessTokens'],
    );
  });

  test('created tokens have their names and ends', async () => {
    const row = await rowAt('To the letter', TOKENS, 'remembered');
    assert.equal(row.description, 'no expiry');
  });

  test("a token that was created to sign in is recognized as the connection's own", async () => {
    const { credentialTokenId } = connectionIn(stored, 'Own token');
    const ownName =
      (await callService(service, 'tokens')).find(({ id }) => id === credentialTokenId)?.name ?? assert.fail();
    const row = await rowAt('Own token', TOKENS, ownName);
    const revoked = vscode.commands.executeCommand(COMMANDS.tokenRevoke, row.node);
    const question = await person.answers(/^Revoke the access token "own /);
    assert.match(question.detail, /This connection signs in with "own .*"\. You.ll have to sign in again\./);
    await revoked;
  });

  test('indices that were added by name are listed, and can be truncated', async () => {
    await callService(spec, 'addFault', {
      fault: { kind: 'status', status: 404 },
      match: 'getIndexSizes',
      times: 'always',
    });
    assert.deepEqual(await labelsBelow('To the letter', INDICES), ['chart', 'dataset']);
    assert.deepEqual(await labelsBelow('To the letter', INDICES, 'chart'), ['chartUsageStatistics']);
    const wizard = await dryRun('To the letter', 'dataset/operation');
    await wizard.report();
    assert.equal(wizard.view.primary.intent, 'execute');
    wizard.close();
  });

  test('the chosen order of the indices is kept', async () => {
    const groups = await labelsBelow('Production', INDICES);
    assert.ok(groups.length > 3);
    assert.deepEqual(groups, [...groups.slice(0, -1).toSorted(), 'other indices']);
  });

  test('every sent truncation is there, with its known state', async () => {
    const rows = new Map((await truncations('Production')).map((row) => [row.label, row]));
    assert.deepEqual(Object.fromEntries([...rows].map(([label, { item }]) => [label, item.contextValue])), {
      'dataset/operation': 'task;idKnown',
      'dataset/datasetprofile': 'task;ended',
      'datajob/datahubingestionrunsummary': 'task;idKnown;ended',
      'dataset/datasetusagestatistics': 'task;idKnown;ended',
      'datajob/operation': 'task;idKnown;ended',
    });
    const icons = [...rows].map(([label, { item }]) => [label, (item.iconPath as vscode.ThemeIcon).id]);
    assert.deepEqual(Object.fromEntries(icons), {
      'dataset/operation': 'sync~spin',
      'dataset/datasetprofile': 'question',
      'datajob/datahubingestionrunsummary': 'question',
      'dataset/datasetusagestatistics': 'error',
      'datajob/operation': 'pass',
    });
    assert.match(rows.get('datajob/operation')?.spoken ?? '', /, Finished: 346 rows deleted\.$/);
    for (const { connectionId, taskId, plan, sentAt } of recordsIn(stored)) {
      const name =
        currentActivation()
          .api.connections()
          .find(({ id }) => id === connectionId)?.name ?? assert.fail();
      const row = await rowAt(name, TRUNCATIONS, `${plan.entityType}/${plan.aspect}`);
      const tooltip = textOf(await tooltipOf(row));
      const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });
      assert.ok(tooltip.includes(time.format(plan.endTimeMillis)) && tooltip.includes(time.format(sentAt)), tooltip);
      await vscode.env.clipboard.writeText('');
      await vscode.commands.executeCommand(COMMANDS.taskCopyId, row.node);
      assert.equal(await vscode.env.clipboard.readText(), taskId ?? '');
    }
  });

  test('a running truncation is requested again, and an ended one can be forgotten', async () => {
    const running = await rowAt('Production', TRUNCATIONS, 'dataset/operation');
    const { taskId } =
      recordsIn(stored).find(({ plan }) => plan.entityType === 'dataset' && plan.aspect === 'operation') ??
      assert.fail();
    await refresh(running);
    assert.ok(
      (await requestsWith(service, 'getEsTaskStatus')).some(({ body, path }) =>
        (body + decodeURIComponent(path)).includes(taskId ?? '?'),
      ),
    );

    await vscode.commands.executeCommand(
      COMMANDS.taskForget,
      (await rowAt('Production', TRUNCATIONS, 'datajob/operation')).node,
    );
    assert.ok(!(await truncations('Production')).some(({ label }) => label === 'datajob/operation'));
  });

  test('a half-filled plan is in its wizard again', async () => {
    const [draft] = draftsIn(stored, OPERATION);
    await listCustomIndex();
    const { page } = await openWizard(await rowAt('Production', INDICES, OPERATION.entityType, OPERATION.aspect));
    const opened = await until('the page to be told what was typed', () => page.told('open'));
    // The strategy was the proposal of that time, which leaves the choice to the server.
    // One yes stood for any caution then.
    const { cautionAccepted: _, ...typed } = draft as { cautionAccepted?: boolean };
    assert.deepEqual(opened['draft'], { ...typed, strategy: 'deleteByQuery', acceptedCautions: [] });
    assert.equal((opened['draft'] as unknown as { timeoutSeconds: string }).timeoutSeconds, 'not yet');
  });

  test('an interrupted removal is completed', async () => {
    const { secrets } = currentActivation().context;
    const mark = Object.keys(stored.globalState).find((key) => key.startsWith('removing.')) ?? '';
    const id = mark.slice('removing.'.length);
    await rowsBelow();
    await until('the credential to be gone', async () => !(await secrets.keys()).some((key) => key.includes(id)));
    await removeConnections(person);
    const { globalState } = currentActivation().context;
    assert.deepEqual(
      globalState.keys().filter((key) => key.includes(id)),
      [mark],
    );
    assert.equal(globalState.get<{ isDone: boolean }>(mark)?.isDone, true, 'only that it was removed');
  });
});

suite('The stored state of any version', () => {
  const person = new Person();
  suiteSetup(async () => {
    person.arrive();
    await activated();
    await vscode.commands.executeCommand('workbench.view.explorer');
  });
  teardown(async () => {
    await leaveNothingStored(person);
  });
  suiteTeardown(() => person.depart());

  for (const version of RELEASED) {
    test(`${version}: all of it is still stored after an update, whatever is added`, async () => {
      const stored = await inThisRun(version);
      await update(stored);
      for (const row of await rowsBelow()) {
        for (const group of row.label === 'Plain HTTP' ? [] : await rowsBelow(row)) await rowsBelow(group);
      }
      const now = await stateOf(currentActivation().context);
      // An interrupted removal is completed.
      const removed = Object.keys(stored.globalState).flatMap((key) =>
        key.startsWith('removing.') ? [key.slice('removing.'.length)] : [],
      );
      for (const part of ['globalState', 'workspaceState', 'secrets'] as const) {
        const before = Object.entries(stored[part]).filter(
          ([key]) => !key.startsWith('dialect.') && !removed.some((id) => key.includes(id)),
        );
        assert.ok(before.length > 0);
        assert.deepEqual(
          Object.fromEntries(
            before.map(([key, value]) => [key, withSizeOf(value, withoutNewLife(value, now[part][key]))]),
          ),
          Object.fromEntries(before),
          part,
        );
      }
    });
  }
});

/** A stored connection without the end of its credential, if that was learned since. */
function withoutNewLife(before: unknown, now: unknown): unknown {
  if (typeof now !== 'object' || now === null || !('credentialLife' in now) || 'credentialLife' in (before as object)) {
    return now;
  }
  const { credentialLife: _, ...rest } = now;
  return rest;
}

/** A stored value as it was, except that a size mistaken for megabytes is corrected once to kilobytes. */
function withSizeOf(before: unknown, now: unknown): unknown {
  const [old, corrected] = [before, now] as ({ sizeBefore?: number; sizePrecision?: string } | undefined)[];
  if (corrected?.sizePrecision !== 'approximate' || old?.sizeBefore === undefined) {
    return now;
  }
  assert.equal(corrected.sizeBefore, old.sizeBefore / 1_000);
  const { sizePrecision: _, revision: __, writer: ___, ...rest } = now as Record<string, unknown>;
  return { ...rest, sizeBefore: old.sizeBefore };
}

/** Makes the service list an index of the custom aspect. */
async function listCustomIndex(): Promise<void> {
  const { entityType, aspect } = OPERATION;
  const row = { indexName: 'datajob_operationaspect_v1', entityName: entityType, aspectName: aspect, sizeInMb: 1 };
  const body = JSON.stringify({ value: { indexSizes: [row] } });
  await callService(hostService(), 'addFault', {
    fault: { kind: 'status', status: 200, body, contentType: 'application/json' },
    match: 'getIndexSizes',
    times: 'always',
  });
  await refresh(await rowAt('Production', INDICES));
}

interface StoredRecord {
  readonly connectionId: string;
  readonly taskId?: string;
  readonly sentAt: number;
  readonly plan: { readonly entityType: string; readonly aspect: string; readonly endTimeMillis: number };
}

function recordsIn({ globalState }: Stored): StoredRecord[] {
  return Object.entries(globalState).flatMap(([key, value]) =>
    key.startsWith('truncation.') ? [value as StoredRecord] : [],
  );
}

function draftsIn(
  { workspaceState }: Stored,
  target: { readonly entityType: string; readonly aspect: string },
): unknown[] {
  const drafts = Object.entries(workspaceState).flatMap(([key, value]) =>
    key.startsWith('planDrafts.') ? (value as (typeof target)[]) : [],
  );
  return drafts.filter(({ entityType, aspect }) => entityType === target.entityType && aspect === target.aspect);
}

function credentialIn({ globalState, secrets }: Stored, name: string): string {
  return (JSON.parse(secrets[`credential.${connectionIn({ globalState }, name).id}`] ?? '') as { token: string }).token;
}

function connectionIn(
  { globalState }: Pick<Stored, 'globalState'>,
  name: string,
): { readonly id: string; readonly credentialTokenId?: string } {
  const found = Object.entries(globalState).find(
    ([key, value]) => key.startsWith('connection.') && (value as { name: string }).name === name,
  );
  return found?.[1] as { id: string };
}
