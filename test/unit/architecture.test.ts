import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readSources } from './sources.ts';
import type { Import, Source } from './sources.ts';

const sources = await readSources();

/** What each part of src/ may import besides itself, the display language and the length of a day: parts, folders or single files. */
const ALLOWED: Readonly<Record<string, { readonly values: readonly string[]; readonly types?: readonly string[] }>> = {
  'manifest.ts': { values: [] },
  'language.ts': { values: ['textKey.ts'] },
  'textKey.ts': { values: [] },
  'time.ts': { values: [] },
  service: { values: [] },
  platform: { values: ['service'] },
  ui: { values: ['service', 'manifest.ts'], types: ['platform'] },
  'webview/host': { values: ['service', 'ui'] },
  'webview/page': { values: ['service/failure/secretShapes.ts'] },
  connections: { values: ['platform', 'service', 'ui', 'manifest.ts'] },
  indices: { values: ['connections', 'platform', 'service', 'ui', 'manifest.ts'] },
  // Those before indices are still made by truncation/truncations.ts.
  truncation: {
    values: [
      'wizard',
      'overview',
      'recipe',
      'rowsByAge',
      'indices',
      'connections',
      'platform',
      'service',
      'ui',
      'manifest.ts',
    ],
  },
  recipe: { values: ['truncation', 'indices', 'connections', 'service', 'ui', 'manifest.ts'] },
  rowsByAge: { values: ['truncation', 'indices', 'connections', 'platform', 'service', 'ui'] },
  batch: {
    values: ['recipe', 'rowsByAge', 'truncation', 'indices', 'connections', 'platform', 'service', 'ui', 'manifest.ts'],
  },
  wizard: {
    values: [
      'recipe',
      'rowsByAge',
      'truncation',
      'indices',
      'connections',
      'platform',
      'service',
      'ui',
      'webview/host',
      'manifest.ts',
    ],
  },
  'wizard/page': {
    values: [
      'wizard/protocol.ts',
      'truncation/texts/reviewTexts.ts',
      'rowsByAge/fitGoal.ts',
      'rowsByAge/ageHistogram.ts',
      'webview/page',
      'ui/formats.ts',
    ],
    types: ['truncation'],
  },
  overview: {
    values: [
      'batch',
      'recipe',
      'rowsByAge',
      'truncation',
      'indices',
      'connections',
      'platform',
      'service',
      'ui',
      'webview/host',
      'manifest.ts',
    ],
  },
  'overview/page': {
    values: [
      'overview/protocol.ts',
      'batch/protocol.ts',
      'truncation/texts/reviewTexts.ts',
      'rowsByAge/fitGoal.ts',
      'webview/page',
      'ui/formats.ts',
    ],
    types: ['truncation'],
  },
  tokens: { values: ['connections', 'platform', 'service', 'ui', 'manifest.ts'] },
  explorer: {
    values: [
      'tokens',
      'indices',
      'wizard',
      'overview',
      'batch',
      'recipe',
      'rowsByAge',
      'truncation',
      'connections',
      'service',
      'ui',
      'manifest.ts',
    ],
  },
  integrations: {
    values: [
      'tokens',
      'indices',
      'wizard',
      'overview',
      'batch',
      'recipe',
      'rowsByAge',
      'truncation',
      'connections',
      'service',
      'ui',
      'manifest.ts',
    ],
  },
  'extension.ts': {
    values: [
      'explorer',
      'integrations',
      'tokens',
      'indices',
      'wizard',
      'overview',
      'batch',
      'recipe',
      'rowsByAge',
      'truncation',
      'connections',
      'platform',
      'service',
      'ui',
      'manifest.ts',
    ],
  },
};

const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

/** The part that a file belongs to: the longest that holds it, so that a page does not pass for its feature. */
function partOf(path: string): string | undefined {
  return Object.keys(ALLOWED)
    .filter((part) => isIn(path, part))
    .toSorted((a, b) => b.length - a.length)[0];
}

/** A whole part is allowed without the parts within it; a folder or file within a part is allowed by itself. */
function isAllowed(path: string, places: readonly string[]): boolean {
  const part = partOf(path);
  return places.some((place) => place === part || (!(place in ALLOWED) && isIn(path, place)));
}

function mayImport(source: Source, { path, kind }: Import): boolean {
  const part = partOf(source.path) ?? '';
  const { values = [], types = [] } = ALLOWED[part] ?? {};
  return isAllowed(path, [part, 'language.ts', 'time.ts', ...values, ...(kind === 'type' ? types : [])]);
}

/** The files whose code matches. */
function filesWith(pattern: RegExp, among: readonly Source[] = sources): string[] {
  return among.filter(({ code }) => pattern.test(code)).map(({ path }) => path);
}

/** Everything that runs when one of the files runs. */
function carriedBy(...paths: readonly string[]): ReadonlySet<string> {
  const carried = new Set(paths);
  for (const path of carried) {
    const { imports = [] } = sources.find((source) => source.path === path) ?? {};
    imports.filter(({ isOurs, kind }) => isOurs && kind === 'value').forEach((one) => carried.add(one.path));
  }
  return carried;
}

const isPage = ({ path }: Source): boolean => path.split('/').includes('page');

suite('Imports go one way', () => {
  test('every file belongs to a part, and every part has files', () => {
    assert.deepEqual(
      sources.filter(({ path }) => partOf(path) === undefined).map(({ path }) => path),
      [],
    );
    assert.deepEqual([...new Set(sources.map(({ path }) => partOf(path)))].toSorted(), Object.keys(ALLOWED).toSorted());
  });

  for (const [part, { values }] of Object.entries(ALLOWED)) {
    test(`${part} imports ${values.length === 0 ? 'nothing else of ours' : `of ours only ${values.join(', ')}`}`, () => {
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
    const next = new Map(
      sources.map(({ path, imports }) => [
        path,
        imports.filter(({ isOurs, kind }) => isOurs && kind !== 'type').map((one) => one.path),
      ]),
    );
    const circles: string[] = [];
    const isDone = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) {
        circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      } else if (!isDone.has(path)) {
        for (const imported of next.get(path) ?? []) {
          visit(imported, [...trail, path]);
        }
        isDone.add(path);
      }
    };
    for (const path of next.keys()) {
      visit(path, []);
    }
    assert.ok([...next.values()].flat().length > 100, 'there is something to look at');
    assert.deepEqual(circles, []);
  });

  test('what is loaded when it is first needed is not loaded at the start as well', () => {
    const lazy = new Set(
      sources.flatMap(({ imports }) => imports.filter(({ kind }) => kind === 'lazy').map(({ path }) => path)),
    );
    assert.ok(lazy.has('graphql-request'));
    assert.ok(lazy.has('truncation/onDemand.ts'));
    const atStart = sources.filter(({ path }) => carriedBy('extension.ts').has(path));
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

  test('a page brings nothing of the extension host but the messages, what it calculates itself, the language, how numbers are written and how tokens look', () => {
    for (const [page, calculates] of [
      ['overview', ['truncation/texts/reviewTexts.ts', 'rowsByAge/fitGoal.ts', 'batch/protocol.ts']],
      ['wizard', ['truncation/texts/reviewTexts.ts', 'rowsByAge/fitGoal.ts', 'rowsByAge/ageHistogram.ts']],
    ] as const) {
      const carried = carriedBy(`${page}/page/${page}.ts`);
      assert.ok(carried.size > 10);
      const shared = ['language.ts', 'service/failure/secretShapes.ts', 'textKey.ts', 'time.ts', 'ui/formats.ts'];
      const own = [`${page}/protocol.ts`];
      assert.deepEqual(
        [...carried].filter((path) => !path.split('/').includes('page')).toSorted(),
        [...shared, ...calculates, ...own].toSorted(),
      );
    }
  });

  test('no module of Node.js is used, but the file system by the one file that writes durably', () => {
    const modules = sources.flatMap(({ path, imports }) =>
      imports.filter(({ isOurs }) => !isOurs).map((one) => `${path} → ${one.path}`),
    );
    assert.ok(modules.some((one) => one.endsWith(' → valibot')));
    assert.deepEqual(
      modules.filter((one) =>
        / → (?:node:.*|https?|http2|net|tls|dgram|fs|path|os|child_process|worker_threads)$/.test(one),
      ),
      ['platform/durableFolder.ts → node:fs/promises', 'platform/durableFolder.ts → node:path'],
    );
  });

  test('what the simulation runs needs no VS Code', () => {
    const carried = carriedBy(
      'truncation/run.ts',
      'batch/batchRun.ts',
      'batch/batchStore.ts',
      'truncation/watch.ts',
      'truncation/truncationStore.ts',
      'connections/servicePool.ts',
      'connections/removal.ts',
      'connections/signIn.ts',
    );
    assert.ok(carried.size > 40);
    assert.deepEqual(
      sources
        .filter(
          ({ path, imports }) =>
            carried.has(path) && imports.some((one) => one.path === 'vscode' && one.kind === 'value'),
        )
        .map(({ path }) => path),
      [],
    );
  });
});

suite('Places that exist once', () => {
  test('the network: only the transport', () => {
    assert.deepEqual(filesWith(/\bfetch\b\s*\(|\bXMLHttpRequest\b|\bWebSocket\b|\bEventSource\b|\bsendBeacon\b/), [
      'service/http/transport.ts',
    ]);
  });

  test('the secret storage: only the credential store, to which it is handed once', () => {
    assert.deepEqual(filesWith(/\.secrets\b/), ['extension.ts']);
    const extension = sources.find(({ path }) => path === 'extension.ts');
    assert.deepEqual(extension?.code.match(/[\w ]*\(?\w+\.secrets\)?/g), ['new CredentialStore(context.secrets']);
    assert.deepEqual(
      sources.filter(({ text }) => text.includes('vscode.SecretStorage')).map(({ path }) => path),
      ['connections/credentialStore.ts'],
    );
  });

  test('the modal warning: only ui/messages.ts', () => {
    assert.deepEqual(filesWith(/\bmodal:/), ['ui/messages.ts']);
    assert.deepEqual(filesWith(/\bwarnModal\(/), ['ui/messages.ts']);
    // The offer of a new token destroys nothing, nor does the result of a test.
    assert.deepEqual(filesWith(/\baskModal\(/), [
      'connections/connectionFlows.ts',
      'tokens/offerToken.ts',
      'ui/messages.ts',
    ]);
  });

  test('what destroys or creates is sent from one place each', () => {
    assert.deepEqual(filesWith(/\.indices\.execute\(/), ['truncation/run.ts']);
    assert.deepEqual(filesWith(/\.tokens\.revoke\(/), ['tokens/revokeTokens.ts']);
    assert.deepEqual(filesWith(/\.tokens\.create\(/), ['tokens/createToken.ts']);
  });

  test('the arguments of commands: only ui/commands.ts takes them, and makes of them what they stand for', () => {
    assert.deepEqual(filesWith(/\bregister(?:TextEditor)?Command\b/), ['ui/commands.ts']);
    assert.deepEqual(filesWith(/\bsubjectOf\b/), ['explorer/explorer.ts', 'ui/commands.ts', 'ui/handles.ts']);
  });

  test('the display language: taken once, and handed to the page', () => {
    assert.deepEqual(filesWith(/\benv\.language\b|\bl10n\.bundle\b/), [
      'extension.ts',
      'overview/host/panel.ts',
      'wizard/host/panel.ts',
    ]);
    assert.deepEqual(filesWith(/\bl10n\.config\(/), ['language.ts']);
  });

  test('texts: looked up by @vscode/l10n, which language.ts gave the translations; VS Code itself has none under their English', () => {
    assert.deepEqual(filesWith(/\bvscode\.l10n\.t\b/), []);
  });

  test('percentages: written by ui/formats.ts, so that page, list and question show the same', () => {
    assert.deepEqual(filesWith(/["']percent["']|\btoFixed\(|\btoLocaleString\(/), ['ui/formats.ts']);
  });

  test('the log: only ui/log.ts', () => {
    assert.deepEqual(filesWith(/createOutputChannel/), ['ui/log.ts']);
    assert.deepEqual(filesWith(/\bconsole\b/), []);
  });

  test('the string of a token: only where it is copied and where it is kept', () => {
    assert.deepEqual(filesWith(/(?<!panel|page)\.reveal\(\)/), ['tokens/offerToken.ts', 'ui/clipboard.ts']);
  });

  test('HTML: only webview/host/html.ts, and only for the pages that webview/host/webviewPage.ts shows', () => {
    const host = sources.filter((source) => !isPage(source));
    assert.deepEqual(filesWith(/<!doctype|<\/[a-z]+>/i, host), ['webview/host/html.ts']);
    assert.deepEqual(filesWith(/\bwebview\.html=/, host), ['webview/host/webviewPage.ts']);
    assert.deepEqual(filesWith(/\bwebview\.html=pageHtml\(/, host), ['webview/host/webviewPage.ts']);
  });

  test('no HTML and no code is made of data', () => {
    const names = [
      'innerHTML',
      'outerHTML',
      'insertAdjacentHTML',
      'unsafeHTML',
      'unsafeSVG',
      'unsafeStatic',
      'setHTMLUnsafe',
      'parseHTMLUnsafe',
      'createContextualFragment',
      'DOMParser',
    ];
    const calls = String.raw`document\.write|\beval\(|\bnew Function\b|\bisTrusted=true|supportHtml=true`;
    assert.deepEqual(filesWith(new RegExp(`${names.map((name) => String.raw`\b${name}\b`).join('|')}|${calls}`)), []);
  });
});

suite('Text of servers and other people', () => {
  /** What shows text, the files that may use it, and what each of them makes of the text first. */
  const PLACES: Readonly<
    Record<string, { readonly shows: RegExp; readonly files: readonly string[]; readonly made?: RegExp }>
  > = {
    'messages and modal questions': {
      shows: /\bshow(?:Information|Warning|Error)Message\(/,
      files: ['ui/messages.ts'],
      made: /inMessage\(|inPlace\(inPlainText\(/,
    },
    'messages in the status bar': {
      shows: /\bsetStatusBarMessage\(/,
      files: ['ui/notices.ts'],
      made: /`\$\(check\) \$\{inLabel\(/,
    },
    'items of the status bar': { shows: /\bcreateStatusBarItem\(/, files: ['connections/statusBar.ts'] },
    'quick picks': { shows: /\bcreateQuickPick\b/, files: ['ui/quickPick.ts'] },
    'input boxes': { shows: /\bcreateInputBox\(/, files: ['ui/inputSteps.ts'] },
    'quick inputs without steps': { shows: /\bshow(?:QuickPick|InputBox)\(/, files: [] },
    'items to pick': { shows: /\.items=(?!=)/, files: ['ui/quickPick.ts'], made: /items\.map\(shown\)/ },
    'prompts and placeholders': {
      shows: /\.(?:prompt|placeholder)=(?!=)/,
      files: ['ui/inputSteps.ts', 'ui/quickPick.ts'],
      made: /in(?:Message|PlainText)\(/,
    },
    'what is wrong with an input': {
      shows: /\.validationMessage=(?!=)/,
      files: ['ui/inputSteps.ts'],
      made: /problem===void 0\?info:inMessage\(/,
    },
    titles: {
      shows: /\.title=(?!=)/,
      files: ['ui/inputSteps.ts', 'webview/host/webviewPage.ts'],
      made: /(?:inPlace\()?inPlainText\(/,
    },
    panels: {
      shows: /\bcreateWebviewPanel\(/,
      files: ['overview/host/panels.ts', 'wizard/host/panels.ts'],
      made: /(?:OVERVIEW|WIZARD)_VIEW_TYPE,l10n\.t\("[^"]*"\),/,
    },
    Markdown: { shows: /\bMarkdownString\b/, files: ['ui/tooltip.ts'] },
    'text in Markdown': {
      shows: /\.appendMarkdown\(/,
      files: ['ui/tooltip.ts'],
      made: /[^)]{0,30}\binMarkdown\(|.\\n\\n.\)/,
    },
    'rows of the tree': { shows: /\.item\(\)/, files: ['explorer/explorer.ts'] },
    'rows of the tree, made plain': {
      shows: /\bgetTreeItem\(/,
      files: ['explorer/explorer.ts'],
      made: /handle\)\{return plainItem\(nodeOf\(handle\)\.item\(\)\)/,
    },
    'texts of items': {
      shows: /\bitem\.(?:text|tooltip)=(?!=)/,
      files: ['connections/statusBar.ts', 'explorer/explorer.ts'],
      made: /tooltip\.markdown|`\$\([a-z-]+\) \$\{inLabel\(|inPlainText\(/,
    },
    'what else VS Code could show': {
      shows: /\.(?:message|badge)=(?!=)|\bcreateTerminal\(|\bshowNotebookDocument\(/,
      files: [],
    },
  };

  for (const [what, { shows, files, made }] of Object.entries(PLACES)) {
    test(`${what}: ${files.length === 0 ? 'nowhere' : `only ${files.join(', ')}`}`, () => {
      assert.deepEqual(filesWith(shows), files);
      assert.deepEqual(made === undefined ? [] : filesWith(new RegExp(`(?:${shows.source})(?!${made.source})`)), []);
    });
  }

  test('progress has a title in one place, which makes it harmless', () => {
    const uses = sources.flatMap(({ path, code }) =>
      Array.from(code.matchAll(/withProgress\((.{0,12})/g), ([, begin]) => `${path}: ${begin}`),
    );
    assert.deepEqual(uses, ['explorer/explorer.ts: {location:{v', 'ui/messages.ts: options,(pro']);
    assert.match(
      sources.find(({ path }) => path === 'ui/messages.ts')?.code ?? '',
      /const options=\{[^}]*title:inMessage\(title\)/,
    );
  });

  test('an icon stands in no sentence: it is drawn where an item has one', () => {
    assert.deepEqual(filesWith(/\$\([a-z$]/), ['connections/statusBar.ts', 'ui/notices.ts', 'ui/quickPick.ts']);
  });

  test('what makes it harmless could run anywhere', () => {
    const { imports = [] } = sources.find(({ path }) => path === 'ui/foreignText.ts') ?? {};
    assert.deepEqual(
      imports.map(({ path }) => path),
      ['service/failure/redaction.ts'],
    );
  });
});

suite('Style', () => {
  test('no file is longer than 500 lines', () => {
    assert.deepEqual(
      sources
        .map(({ path, text }) => `${path}: ${text.split('\n').length}`)
        .filter((one) => Number(one.split(': ')[1]) > 501),
      [],
    );
  });

  test('nothing is exported as default', () => assert.deepEqual(filesWith(/\bexport default\b|\bas default\b/), []));

  test('nothing is of type any', () => {
    const any = /(?:[:<|&,(=]|\bas|=>)\s*any\b(?!\s*[('.])|\bany\[\]/;
    const typed = sources.map(({ path, text }) => ({
      path,
      text: text.replace(/\/\*[^]*?\*\/|\/\/.*$|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/gm, '""'),
    }));
    assert.deepEqual(
      typed.filter(({ text }) => any.test(text)).map(({ path }) => path),
      [],
    );
  });

  test('no file is a barrel', () => {
    const isBarrel = (code: string): boolean =>
      code.replace(/export\s*(?:\*|\{[^}]*\})\s*from\s*"[^"]*";?/g, '').trim() === '' && code.includes('from');
    assert.ok(isBarrel('export{a}from"./a.ts";export*from"./b.ts";'), 'it would have been found');
    assert.deepEqual(
      sources.filter(({ code }) => isBarrel(code)).map(({ path }) => path),
      [],
    );
  });

  test('files are named after what they are about', () => {
    assert.deepEqual(
      sources.filter(({ path }) => /manager|helper|util|common|misc/i.test(path)).map(({ path }) => path),
      [],
    );
  });
});
