import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import type { TokenRecord } from '../../service/tokens.ts';
import { callService, hostService } from '../context.ts';
import {
  addConnection,
  connectionAs,
  leaveNothing,
  removeConnections,
  saveConnection,
  tokenOf,
} from './support/connections.ts';
import { activated } from './support/extension.ts';
import { DrivenWizard } from './support/drivenWizard.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import {
  indexRow,
  labelsBelow,
  pressEnter,
  refresh,
  rowAt,
  rowsBelow,
  textOf,
  tokenRowsBelow,
  tooltipOf,
} from './support/tree.ts';
import { until } from './support/until.ts';

const DAY = 24 * 60 * 60 * 1000;
const NAME = 'Tree';
const TOKENS = 'Access tokens';
const INDICES = 'Time series indices';
const OTHERS = 'other indices';

suite('The tree', () => {
  const service = hostService();
  const person = new Person();
  suiteSetup(async () => {
    person.arrive();
    await activated();
  });
  setup(async () => {
    await calm(service);
    await saveConnection(connectionAs(service, 'admin', NAME));
  });
  teardown(() => leaveNothing(person));
  suiteTeardown(() => person.depart());

  test('is empty without a connection, so that VS Code shows the welcome', async () => {
    await removeConnections(person);
    assert.deepEqual(await rowsBelow(), []);
  });

  test('shows a connection with its groups', async () => {
    const connection = await rowAt(NAME);
    assert.equal(connection.description, '');
    assert.equal(connection.item.contextValue, 'connection;signedIn');
    // The group of truncations appears with the first one.
    assert.deepEqual(await labelsBelow(NAME), [TOKENS, INDICES]);
    const tooltip = textOf(await tooltipOf(connection));
    assert.match(tooltip, /127\.0\.0\.1/);
    assert.match(tooltip, /urn:li:corpuser:admin/);
    assert.ok(!tooltip.includes(tokenOf(service, 'admin')));
  });

  test('lists the access tokens that the user created, and how many', async () => {
    const own = (await callService(service, 'tokens')).filter(({ ownerUrn }) => ownerUrn.endsWith(':admin'));
    const group = await rowAt(NAME, TOKENS);
    const rows = await tokenRowsBelow(group);
    assert.deepEqual(rows.map(({ label }) => label).toSorted(), own.map(({ name }) => name).toSorted());
    assert.equal((await rowAt(NAME, TOKENS)).description.split(' · ')[0], String(own.length));
  });

  test('lists the tokens that end soonest first, and folds expired ones away at the end', async () => {
    const now = Date.now();
    const own = (await callService(service, 'tokens')).filter(({ ownerUrn }) => ownerUrn.endsWith(':admin'));
    const [ending, expired] = [true, false].map((isAhead) =>
      own.filter(({ expiresAt }) => expiresAt !== null && expiresAt > now === isAhead),
    );
    const rows = await rowsBelow(await rowAt(NAME, TOKENS));
    assert.deepEqual(
      rows.slice(0, ending?.length).map(({ label }) => label),
      ending?.toSorted((a, b) => Number(a.expiresAt) - Number(b.expiresAt)).map(({ name }) => name),
    );
    const folded = rows.at(-1) ?? assert.fail();
    assert.deepEqual([folded.label, folded.item.collapsibleState], [`${expired?.length} expired`, 1]);
    assert.equal((await rowsBelow(folded)).length, expired?.length);
  });

  test('sends one request, however many callers wait for the rows', async () => {
    await saveConnection(connectionAs(service, 'operator', 'Once'));
    await calm(service);
    const [tokens, indices] = [await rowAt('Once', TOKENS), await rowAt('Once', INDICES)];
    const [first, second] = await Promise.all([
      rowsBelow(tokens),
      rowsBelow(tokens),
      rowsBelow(indices),
      rowsBelow(indices),
    ]);
    assert.ok(first.length > 1);
    assert.equal(first.length, second.length);
    assert.equal((await requestsWith(service, 'listAccessTokens')).length, 1);
    assert.equal((await requestsWith(service, 'getIndexSizes')).filter(({ status }) => status === 200).length, 1);
  });

  for (const [group, operation] of [
    [TOKENS, 'listAccessTokens'],
    [INDICES, 'getIndexSizes'],
  ] as const) {
    test(`keeps the rows of ${group.toLowerCase()} while newer ones are loaded`, async () => {
      const row = await rowAt(NAME, group);
      const before = (await rowsBelow(row)).map(({ label }) => label);
      await callService(service, 'addFault', { fault: { kind: 'latency', millis: 3_600_000 }, match: operation });
      const asked = (await requestsWith(service, operation)).length;
      const refreshed = refresh(row);
      await until('the server to be asked', async () => (await requestsWith(service, operation)).length > asked);
      assert.deepEqual(
        (await rowsBelow(row)).map(({ label }) => label),
        before,
      );
      await removeConnections(person);
      await refreshed;
    });
  }

  test('shows the whole name of a connection: shortened, production servers could look the same', async () => {
    for (const region of ['eu', 'us']) {
      const name = `Warehouse of the analysts ${region} west`;
      await addConnection(person, { ...connectionAs(service, 'admin', name), role: 'Production' });
      const row = await rowAt(name);
      assert.deepEqual([row.item.label, row.description], [name, 'production']);
    }
  });

  test('shows when a token ends', async () => {
    const now = Date.now();
    await issue({ name: 'ends in days', createdAt: now - 60 * DAY, expiresAt: now + 3 * DAY + 60_000 });
    await issue({ name: 'was made for days', expiresAt: now + 3 * DAY + 60_000 });
    await issue({ name: 'ended', expiresAt: now - 2 * DAY - 60_000 });
    await issue({ name: 'has no end', expiresAt: null });
    await refresh(await rowAt(NAME, TOKENS));
    assert.deepEqual(await look('ends in days'), { description: 'in 3 days', icon: 'warning' });
    assert.deepEqual(await look('was made for days'), { description: 'in 3 days', icon: 'key' });
    assert.deepEqual(await look('ended'), { description: '2 days ago', icon: 'circle-slash' });
    assert.deepEqual(await look('has no end'), { description: 'never', icon: 'key' });
  });

  test('has whole names, which Find sees', async () => {
    const name = 'airflow production ingestion and lineage';
    await issue({ name, expiresAt: Date.now() + 3 * DAY + 60_000 });
    await refresh(await rowAt(NAME, TOKENS));
    const row = await rowAt(NAME, TOKENS, name);
    assert.deepEqual([row.item.label, row.description], [name, 'in 3 days']);
    assert.equal(row.spoken, `${name}, expires in 3 days`);
    assert.ok(textOf(await tooltipOf(row)).startsWith(`**${name}**`));
  });

  test("keeps other users' Markdown, HTML and links as text", async () => {
    const hostile =
      '**bold** [run](command:workbench.action.quit) ![p](https://127.0.0.1/p.png) <img src=x onerror=alert(1)> `code`';
    await issue({ name: hostile, description: `${hostile}\n# heading`, expiresAt: null });
    await refresh(await rowAt(NAME, TOKENS));
    const row = await rowAt(NAME, TOKENS, hostile);
    const tooltip = await tooltipOf(row);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.ok(!tooltip.isTrusted, 'links to commands would run');
    assert.ok(!tooltip.supportHtml, 'HTML would be shown as HTML');
    assert.ok(!tooltip.supportThemeIcons);
    // Without escaped characters, only our own Markdown is left.
    const live = tooltip.value.replaceAll(/\\[^\w\s]/g, '');
    assert.doesNotMatch(live, /\]\(|!\[|`|^#/m);
    assert.deepEqual([...live.matchAll(/\*\*(.*?)\*\*/g)].map((match) => match[1]?.slice(0, 4)).toSorted(), [
      'Acts',
      'Crea',
      'Expi',
      'ID',
      'Owne',
      'bold',
    ]);
  });

  test('groups indices by entity type where it has several, the largest first, with readable sizes', async () => {
    const listed = await listedSizes();
    const byEntity = Map.groupBy(listed, ({ entity }) => entity);
    const shown = [...byEntity].map(([entity, members]): [string, number] => {
      const [{ aspect } = { aspect: '' }] = members;
      const lone = entity === OTHERS ? aspect : `${entity}/${aspect}`;
      return [members.length > 1 ? entity : lone, sum(members.map(({ megabytes }) => megabytes))];
    });
    const others = shown.find(([label]) => label === OTHERS || !byEntity.has(label.split('/')[0] ?? ''))?.[0];
    const rows = await rowsBelow(await rowAt(NAME, INDICES));
    assert.deepEqual(
      rows.map(({ label }) => label.toLowerCase()),
      inOrder(new Map(shown)).toSorted((a, b) => Number(a === others) - Number(b === others)),
    );
    for (const row of rows) {
      const members = byEntity.get(row.label.toLowerCase()) ?? [];
      assertSays(row.description, new Map(shown).get(row.label.toLowerCase()) ?? 0);
      assert.deepEqual(
        (await rowsBelow(row)).map(({ label }) => label.toLowerCase()),
        members.length > 1 ? inOrder(new Map(members.map(({ aspect, megabytes }) => [aspect, megabytes]))) : [],
      );
    }
    assertSays((await rowAt(NAME, INDICES)).description, sum(listed.map(({ megabytes }) => megabytes)));
  });

  test("shows names as the platform's registry spells them, and asks for them as the server does", async () => {
    await answerSizes([
      { indexName: 'a', entityName: 'datajob', aspectName: 'datahubingestioncheckpoint', sizeInMb: 30 },
      { indexName: 'b', entityName: 'datajob', aspectName: 'datahubingestionrunsummary', sizeInMb: 20 },
      { indexName: 'c', entityName: 'dataset', aspectName: 'datasetprofile', sizeInMb: 10 },
    ]);
    await refresh(await rowAt(NAME));
    assert.deepEqual(await labelsBelow(NAME, INDICES), ['dataJob', 'dataset/datasetProfile']);
    assert.deepEqual(await labelsBelow(NAME, INDICES, 'dataJob'), [
      'datahubIngestionCheckpoint',
      'datahubIngestionRunSummary',
    ]);
    const lone = await rowAt(NAME, INDICES, 'dataset/datasetProfile');
    assert.deepEqual([lone.description, lone.spoken], ['10 MB', 'dataset, datasetProfile, 10 MB · 17%']);
    assert.match(textOf(await tooltipOf(lone)), /^\*\*dataset\/datasetProfile\*\*/);
    const wizard = await DrivenWizard.open(lone);
    assert.equal(wizard.page.panel.title, `Truncate dataset/datasetprofile (${NAME})`);
    wizard.close();
  });

  test('opens one page of an index by a double-click', async () => {
    const row = await indexRow(NAME, 'dataset/operation');
    await Promise.all([pressEnter(row), pressEnter(row)]);
    const pages = (): readonly vscode.Tab[] =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ label }) => label.startsWith('Truncate dataset/operation'));
    await until('the page', () => pages().length > 0);
    assert.equal(pages().length, 1);
    await vscode.window.tabGroups.close([...pages()]);
  });

  test('lists a thousand indices at most, and says how many more there are', async () => {
    await answerSizes(Array.from({ length: 1_003 }, (_, index) => ({ indexName: `leftover-${index}`, sizeInMb: 1 })));
    await refresh(await rowAt(NAME, INDICES));
    assert.deepEqual((await labelsBelow(NAME, INDICES)).slice(-1), ["3 more indices on the server aren't listed here"]);
    assert.match((await rowAt(NAME, INDICES)).description, /^1 GB or more$/);
    await calm(service);
    await refresh(await rowAt(NAME, INDICES));
    assert.doesNotMatch((await labelsBelow(NAME, INDICES)).join(), /on the server/);
  });

  test('lists each index that a server lists under the name of another one', async () => {
    const twice = { indexName: 'timeseries_v1', sizeInMb: 1 };
    await answerSizes([
      { ...twice, entityName: 'chart', aspectName: 'status' },
      { ...twice, entityName: 'chart', aspectName: 'usage' },
      { ...twice, entityName: 'dataset', aspectName: 'operation' },
    ]);
    await refresh(await rowAt(NAME, INDICES));
    const charts = await rowsBelow(await rowAt(NAME, INDICES, 'chart'));
    const dataset = await rowAt(NAME, INDICES, 'dataset/operation');
    assert.deepEqual(charts.map(({ label }) => label).toSorted(), ['status', 'usage']);
    // VS Code shows nothing below a row if two of its rows have the same ID.
    assert.equal(new Set([...charts, dataset].map(({ item }) => item.id)).size, 3);
  });

  test('shows the size of each index, and tells its share of the total in the tooltip and to a screen reader', async () => {
    await answerSizes([
      { indexName: 'dataset_operationaspect_v1', entityName: 'dataset', aspectName: 'operation', sizeInMb: 6_200 },
      { indexName: 'chart_usageaspect_v1', entityName: 'chart', aspectName: 'usage', sizeInMb: 3_780 },
      { indexName: 'chart_statusaspect_v1', entityName: 'chart', aspectName: 'status', sizeInMb: 20 },
    ]);
    await refresh(await rowAt(NAME, INDICES));
    assert.equal((await rowAt(NAME, INDICES)).description, '10 GB');
    assert.equal((await rowAt(NAME, INDICES, 'chart')).description, '3.8 GB');
    const row = await rowAt(NAME, INDICES, 'chart', 'status');
    assert.equal(row.description, '20 MB');
    assert.equal(row.spoken, 'chart, status, 20 MB · 0.2%');
    assert.match(textOf(await tooltipOf(row)), /20 MB \(.* bytes\) · 0\.2%/);
  });

  test('shows last which installation an index without names may belong to; only its name can be copied', async () => {
    const foreign = 'prod_dataset_operationaspect_v1';
    await answerSizes([
      { indexName: foreign, sizeInMb: 900 },
      // Behind an alias, as after a reindex.
      {
        indexName: 'dataset_operationaspect_v1_1700000000000',
        entityName: 'dataset',
        aspectName: 'operation',
        sizeInMb: 100,
      },
    ]);
    await refresh(await rowAt(NAME, INDICES));
    const [operation, row, ...others] = await rowsBelow(await rowAt(NAME, INDICES));
    assert.deepEqual([operation?.label, operation?.item.contextValue], ['dataset/operation', 'index;truncatable']);
    assert.ok(row !== undefined && others.length === 0);
    assert.deepEqual([row.label, row.description, row.item.contextValue], [foreign, '900 MB', 'index']);
    assert.equal(row.item.command, undefined, 'there is nothing to open');
    assert.equal(row.spoken, `${foreign}, 900 MB · 90% · may belong to another installation`);
    assert.match(textOf(await tooltipOf(row)), /its name doesn't match those of this server's indices\./);

    for (const command of [COMMANDS.indexTruncate, COMMANDS.indexCopyRequest]) {
      const before = person.toldSoFar.length;
      await vscode.commands.executeCommand(command, row.node);
      await until('a refusal', () => person.toldSoFar.length > before);
      assert.match(person.toldSoFar.at(-1) ?? '', /the server doesn't report its entity type and aspect/);
    }
    assert.deepEqual(await requestsWith(service, 'truncateTimeseriesAspect'), []);
    await vscode.commands.executeCommand(COMMANDS.indexCopyName, row.node);
    assert.equal(await vscode.env.clipboard.readText(), foreign);
    const picked = vscode.commands.executeCommand(COMMANDS.indexTruncate);
    const offered = await person.offered(/Select a time series index/, 'dataset/operation');
    assert.ok(!offered.some(({ label }) => label.includes('prod')));
    await person.leaves(/Select a time series index/);
    await picked;
  });

  test('sorts indices by name on request, and by size again', async () => {
    const bySize = await labelsBelow(NAME, INDICES);
    const sort = async (order: string): Promise<string[]> => {
      const sorted = vscode.commands.executeCommand(COMMANDS.indexSort);
      await person.picks(/Sort Indices/, order);
      await sorted;
      return labelsBelow(NAME, INDICES);
    };
    const [others] = bySize.slice(-1);
    assert.deepEqual(await sort('By Name'), [...bySize.slice(0, -1).toSorted(), others]);
    assert.deepEqual(await sort('Largest First'), bySize);
  });

  /** From now on the service answers with these sizes. */
  async function answerSizes(indexSizes: readonly object[]): Promise<void> {
    const body = JSON.stringify({ value: { indexSizes } });
    const fault = { kind: 'status', status: 200, body, contentType: 'application/json' } as const;
    await callService(service, 'addFault', { fault, match: 'getIndexSizes', times: 'always' });
  }

  async function issue(request: Partial<TokenRecord>): Promise<void> {
    // Issued earlier, so that it is in the listing.
    await callService(service, 'issueToken', { createdAt: Date.now() - 60_000, ...request });
  }

  async function look(token: string): Promise<{ readonly description: string; readonly icon: string }> {
    const { description, item } = await rowAt(NAME, TOKENS, token);
    assert.ok(item.iconPath instanceof vscode.ThemeIcon);
    return { description, icon: item.iconPath.id };
  }

  /** The service's own listing, read without the extension. */
  async function listedSizes(): Promise<
    { readonly entity: string; readonly aspect: string; readonly megabytes: number }[]
  > {
    const response = await fetch(`${service.url}/operations?action=getIndexSizes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokenOf(service, 'admin')}` },
    });
    const { value } = (await response.json()) as {
      value: { indexSizes: { indexName: string; entityName?: string; aspectName?: string; sizeInMb: number }[] };
    };
    // Indices without a name are under "other indices".
    return value.indexSizes.map(({ indexName, entityName, aspectName, sizeInMb }) => ({
      entity: entityName ?? OTHERS,
      aspect: aspectName ?? indexName,
      megabytes: sizeInMb,
    }));
  }
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Asserts that a size in words is a number of megabytes, to two or three digits. */
function assertSays(description: string, megabytes: number): void {
  const [, digits, unit] = /^(\d{1,3}(?:\.\d)?) (kB|MB|GB)$/.exec(description) ?? [];
  const said = Number(digits) * { kB: 0.001, MB: 1, GB: 1000 }[unit as 'kB' | 'MB' | 'GB'];
  assert.ok(Math.abs(said - megabytes) <= megabytes * 0.05, `"${description}" is said of ${megabytes} MB`);
}

/** The keys, largest number first. */
function inOrder(sizes: ReadonlyMap<string, number>): string[] {
  return [...sizes].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
}
