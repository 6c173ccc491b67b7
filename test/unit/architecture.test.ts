import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  importsByFile,
  isPage,
  reachableFrom,
  readSources,
  type Source,
  type SourceImport,
} from '../../tools/sources.ts';

const sources = readSources();

/** Imports of the tree and of the integrations, which use every feature. */
const FEATURES = [
  'tokens',
  'indices',
  'pages/kit/host',
  'pages/truncation',
  'pages/overview',
  'rowsByAge',
  'truncation',
  'connections',
  'service',
  'ui',
  'manifest.ts',
];

/** Imports of the pages' hosts. */
const PAGE_HOST = [
  'rowsByAge',
  'truncation',
  'indices',
  'connections',
  'platform',
  'service',
  'ui',
  'manifest.ts',
  'pages/kit/host',
  'pages/kit/protocol.ts',
];

/** How a page writes numbers and times. */
const FORMATS = ['ui/formats.ts'];

/**
 * Imports allowed to each part of src/ besides itself, the display language, the time and JSON: parts, folders or single
 * files.
 */
const ALLOWED: Readonly<Record<string, { readonly values: readonly string[]; readonly types?: readonly string[] }>> = {
  'manifest.ts': { values: [] },
  'language.ts': { values: [] },
  'time.ts': { values: [] },
  'json.ts': { values: [] },
  service: { values: [] },
  platform: { values: [] },
  ui: { values: ['platform', 'service', 'manifest.ts'] },
  'pages/kit/protocol.ts': { values: ['truncation/jobState.ts'], types: ['truncation'] },
  'pages/kit/host': {
    values: ['pages/kit/protocol.ts', 'truncation', 'indices', 'connections', 'platform', 'service', 'ui'],
    types: ['manifest.ts'],
  },
  'pages/kit/page': { values: ['pages/kit/protocol.ts', 'service/failure/secretShapes.ts', 'ui/formats.ts'] },
  connections: { values: ['platform', 'service', 'ui', 'manifest.ts'] },
  indices: { values: ['connections', 'platform', 'service', 'ui', 'manifest.ts'] },
  truncation: { values: ['indices', 'connections', 'platform', 'service', 'ui', 'manifest.ts'] },
  rowsByAge: { values: ['truncation', 'indices', 'connections', 'platform', 'service', 'ui'] },
  'pages/truncation': { values: PAGE_HOST },
  'pages/truncation/page': {
    values: [
      'pages/truncation/protocol.ts',
      'truncation/plan.ts',
      'truncation/cutoff.ts',
      'truncation/texts/strategyTexts.ts',
      'rowsByAge/ageHistogram.ts',
      'indices/indexName.ts',
      'pages/kit/page',
      'pages/kit/protocol.ts',
      'ui/typedValues.ts',
      ...FORMATS,
    ],
    types: ['truncation'],
  },
  'pages/overview': { values: PAGE_HOST },
  'pages/overview/page': {
    values: [
      'pages/overview/protocol.ts',
      'truncation/jobState.ts',
      'truncation/cutoff.ts',
      'pages/kit/page',
      'pages/kit/protocol.ts',
      ...FORMATS,
    ],
    types: ['truncation'],
  },
  tokens: { values: ['connections', 'platform', 'service', 'ui', 'manifest.ts'] },
  explorer: { values: ['platform', ...FEATURES] },
  integrations: { values: FEATURES, types: ['platform'] },
  'pages/pageCommands.ts': {
    values: ['pages/kit/host', 'indices', 'connections', 'manifest.ts'],
    types: ['pages/truncation', 'pages/openers.ts', 'ui'],
  },
  'pages/openers.ts': {
    values: [
      'pages/kit/host',
      'pages/truncation',
      'pages/overview',
      'integrations',
      'rowsByAge',
      'truncation',
      'indices',
      'service',
      'manifest.ts',
    ],
    types: ['connections'],
  },
  'features.ts': {
    values: ['pages/pageCommands.ts', 'pages/openers.ts', 'explorer', 'integrations', 'platform', ...FEATURES],
    types: ['startup.ts'],
  },
  'migrate.ts': { values: ['connections', 'platform'] },
  'startup.ts': { values: ['migrate.ts', 'manifest.ts', 'connections', 'platform', 'ui'] },
  'extension.ts': {
    values: ['startup.ts', 'features.ts', 'explorer', 'integrations', 'manifest.ts'],
    types: ['connections'],
  },
};

const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

/** The longest matching part, so that a page isn't counted as its feature. */
function partOf(path: string): string | undefined {
  return Object.keys(ALLOWED)
    .filter((part) => isIn(path, part))
    .toSorted((a, b) => b.length - a.length)[0];
}

/** Allowing a folder doesn't allow parts nested in it. A folder or file within a part can be allowed by itself. */
function isAllowed(path: string, places: readonly string[]): boolean {
  const part = partOf(path);
  return places.some((place) => place === part || (!(place in ALLOWED) && isIn(path, place)));
}

function mayImport(source: Source, { path, kind }: SourceImport): boolean {
  const part = partOf(source.path) ?? '';
  const { values = [], types = [] } = ALLOWED[part] ?? {};
  return isAllowed(path, [part, 'language.ts', 'time.ts', 'json.ts', ...values, ...(kind === 'type' ? types : [])]);
}

/** Everything that runs when one of the files runs. */
function carriedBy(...paths: readonly string[]): ReadonlySet<string> {
  const imported = importsByFile(sources, ({ kind }) => kind === 'value');
  const carried = new Set(paths);
  for (const path of paths) reachableFrom(path, imported).forEach((one) => carried.add(one));
  return carried;
}

function importedFiles({ imports }: Source, kinds: readonly SourceImport['kind'][]): string[] {
  return imports.filter(({ isOurs, kind }) => isOurs && kinds.includes(kind)).map(({ path }) => path);
}

/** The circles that a walk along the imports closes. */
function circlesAmong(files: readonly (readonly [path: string, imported: readonly string[]])[]): string[] {
  const next = new Map(files);
  const circles: string[] = [];
  const isDone = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    } else if (!isDone.has(path)) {
      for (const imported of next.get(path) ?? []) visit(imported, [...trail, path]);
      isDone.add(path);
    }
  };
  for (const path of next.keys()) visit(path, []);
  return circles;
}

suite('Imports go one way', () => {
  test('every file belongs to a part, and every part has files', () => {
    assert.deepEqual(
      sources.filter(({ path }) => partOf(path) === undefined).map(({ path }) => path),
      [],
    );
    assert.deepEqual([...new Set(sources.map(({ path }) => partOf(path)))].toSorted(), Object.keys(ALLOWED).toSorted());
  });

  for (const [part, { values }] of Object.entries(ALLOWED)) {
    test(`${part} imports ${values.length === 0 ? 'no more of ours' : `of ours only ${values.join(', ')}`}`, () => {
      const wrong = sources
        .filter(({ path }) => partOf(path) === part)
        .flatMap((source) =>
          source.imports
            .filter((one) => one.isOurs && !mayImport(source, one))
            .map((one) => `${source.path} → ${one.path} (${one.kind})`),
        );
      assert.deepEqual(wrong, []);
    });
  }

  test('no files import each other in a circle', () => {
    const files = sources.map((source) => [source.path, importedFiles(source, ['value', 'type', 'lazy'])] as const);
    assert.deepEqual(circlesAmong(files), []);
  });

  test('modules loaded when first needed are not loaded at the start as well', () => {
    const lazy = new Set(
      sources.flatMap(({ imports }) => imports.filter(({ kind }) => kind === 'lazy').map(({ path }) => path)),
    );
    assert.ok(lazy.has('js-yaml'));
    assert.ok(lazy.has('pages/openers.ts'));
    assert.ok(lazy.has('features.ts'));
    assert.ok(lazy.has('migrate.ts'));
    assert.ok(lazy.has('startup.ts'));
    const carried = carriedBy('extension.ts', 'startup.ts');
    assert.ok(carried.size > 20 && !carried.has('features.ts') && !carried.has('migrate.ts'));
    const atStart = sources.filter(({ path }) => carried.has(path) || carriedBy('features.ts').has(path));
    assert.ok(atStart.length > 60);
    const early = atStart.flatMap(({ path, imports }) =>
      imports.filter((one) => one.kind === 'value' && lazy.has(one.path)).map((one) => `${path} → ${one.path}`),
    );
    assert.deepEqual(early, []);
  });

  test('the protocol, the model of a truncation and the pages know nothing of VS Code', () => {
    const withoutVsCode = sources.filter(
      (source) => isPage(source) || isIn(source.path, 'service') || isIn(source.path, 'truncation/texts'),
    );
    assert.ok(withoutVsCode.length > 60);
    assert.deepEqual(
      withoutVsCode.filter(({ imports }) => imports.some(({ path }) => path === 'vscode')).map(({ path }) => path),
      [],
    );
    assert.ok(
      sources.some(({ path, imports }) => isIn(path, 'ui') && imports.some((one) => one.path === 'vscode')),
      'it would have been found',
    );
  });

  test('a page carries nothing of the host but messages, calculations, language, formats and token shapes', () => {
    for (const [page, calculates] of [
      ['overview', ['truncation/jobState.ts', 'truncation/cutoff.ts']],
      [
        'truncation',
        [
          'pages/truncation/protocol.ts',
          'truncation/cautions.ts',
          'truncation/cutoff.ts',
          'truncation/jobState.ts',
          'truncation/plan.ts',
          'truncation/texts/strategyTexts.ts',
          'rowsByAge/ageHistogram.ts',
          'indices/indexName.ts',
          // Drafts hold no access tokens.
          'service/failure/redaction.ts',
          'service/failure/secret.ts',
        ],
      ],
    ] as const) {
      const carried = carriedBy(`pages/${page}/page/${page === 'truncation' ? 'wizard' : page}.ts`);
      assert.ok(carried.size > 10);
      const shared = ['json.ts', 'language.ts', 'service/failure/secretShapes.ts', 'time.ts', 'ui/formats.ts'];
      assert.deepEqual(
        [...carried].filter((path) => !path.split('/').includes('page')).toSorted(),
        [...shared, 'ui/typedValues.ts', 'pages/kit/protocol.ts', ...calculates].toSorted(),
      );
    }
  });

  test('no module of Node.js is used, but by what reads and writes files, imports, migrates, and names files of tokens', () => {
    const modules = sources.flatMap(({ path, imports }) =>
      imports.filter(({ isOurs }) => !isOurs).map((one) => `${path} → ${one.path}`),
    );
    assert.ok(modules.some((one) => one.endsWith(' → valibot')));
    assert.deepEqual(
      modules.filter((one) =>
        / → (?:node:.*|https?|http2|net|tls|dgram|fs|path|os|child_process|worker_threads)$/.test(one),
      ),
      [
        'connections/commandLine.ts → node:fs/promises',
        'connections/commandLine.ts → node:os',
        'connections/commandLine.ts → node:path',
        'migrate.ts → node:fs/promises',
        'migrate.ts → node:path',
        'pages/kit/host/pagePanel.ts → node:fs/promises',
        'platform/folder.ts → node:fs/promises',
        'platform/folder.ts → node:path',
        'platform/folder.ts → node:timers/promises',
        'service/http/network.ts → node:diagnostics_channel',
        'tokens/tokenMemory.ts → node:crypto',
      ],
    );
  });
});
