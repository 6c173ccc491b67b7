// Each API that destroys, reveals or shows something is called from one place, which escapes foreign text.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { dottedName, isPage, readSources, type Source } from '../../tools/sources.ts';
import { childNode, childNodes, type SyntaxNode } from '../../tools/syntax.ts';

const sources = readSources();

/** True if a rule is about this node of code. */
type Matcher = (node: SyntaxNode, source: Source) => boolean;

/** The files with code that matches. */
function filesWith(matches: Matcher, among: readonly Source[] = sources): string[] {
  return among.filter((source) => source.code.some((node) => matches(node, source))).map(({ path }) => path);
}

const lastName = (node: SyntaxNode | undefined): string => dottedName(node)?.split('.').at(-1) ?? '';

/** A name of a variable, a property or a key, by itself. */
function isNamed(...names: readonly string[]): Matcher {
  return (node) => node.type === 'Identifier' && names.includes(String(node['name']));
}

/** A call by the last of its names, or by several: `fetch`, `indices.execute`. */
function calls(...callees: readonly string[]): Matcher {
  return (node) => {
    if (node.type !== 'CallExpression') return false;
    const name = dottedName(childNode(node, 'callee')) ?? '';
    return callees.some((callee) => name === callee || name.endsWith(`.${callee}`));
  };
}

/** An access to a property, by the last of the names before it: `env.language`. */
function reads(chain: string): Matcher {
  return (node) => {
    const name = node.type === 'MemberExpression' ? (dottedName(node) ?? '') : '';
    return name === chain || name.endsWith(`.${chain}`);
  };
}

/** An access to any property of a variable. */
function isAccessTo(variable: string): (node: SyntaxNode) => boolean {
  return (node) => node.type === 'MemberExpression' && dottedName(childNode(node, 'object')) === variable;
}

/** An assignment to a property of these names: `title`, `item.text`. */
function assigns(...names: readonly string[]): Matcher {
  return (node) => {
    const target = node.type === 'AssignmentExpression' ? childNode(node, 'left') : undefined;
    const name = dottedName(target) ?? '';
    return target?.type === 'MemberExpression' && names.some((one) => name === one || name.endsWith(`.${one}`));
  };
}

const isKey =
  (name: string): Matcher =>
  (node) =>
    node.type === 'Property' && lastName(childNode(node, 'key')) === name;

/** Text in quotes, or between what is put into a template. */
function hasText(pattern: RegExp): Matcher {
  return (node) => {
    if (node.type === 'Literal') return typeof node['value'] === 'string' && pattern.test(node['value']);
    if (node.type !== 'TemplateElement') return false;
    return pattern.test((node['value'] as { readonly raw: string }).raw);
  };
}

const anyOf =
  (...matchers: readonly Matcher[]): Matcher =>
  (node, source) =>
    matchers.some((matches) => matches(node, source));

suite('Places that exist once', () => {
  test('the network: only the transport, through network.ts', () => {
    assert.deepEqual(
      filesWith(
        anyOf(
          calls('fetch', 'sendBeacon'),
          isNamed('XMLHttpRequest', 'WebSocket', 'EventSource'),
          reads('globalThis.fetch'),
        ),
      ),
      ['service/http/network.ts', 'service/http/transport.ts'],
    );
  });

  test('the secret storage: only the credential store, to which it is handed once, and the migration, which deletes', () => {
    const takes = anyOf(reads('secrets'), isKey('secrets'));
    const uses = sources.flatMap((source) =>
      source.code.filter((node) => takes(node, source)).map((node) => ({ source, node })),
    );
    assert.deepEqual(
      uses.map(({ source, node }) => {
        const holder = source.parentOf(node);
        return [source.path, holder?.type, lastName(holder && childNode(holder, 'callee'))];
      }),
      [
        ['features.ts', 'NewExpression', 'CredentialStore'],
        ['migrate.ts', 'ObjectPattern', ''],
      ],
    );
    const migration = sources.find(({ path }) => path === 'migrate.ts') ?? assert.fail();
    assert.deepEqual(
      migration.code.filter(isAccessTo('secrets')).map((node) => dottedName(node)),
      ['secrets.delete'],
    );
    assert.deepEqual(
      sources.filter(({ typeNames }) => typeNames.has('vscode.SecretStorage')).map(({ path }) => path),
      ['connections/credentialStore.ts'],
    );
  });

  test('the modal warning: only ui/messages.ts', () => {
    assert.deepEqual(filesWith(isKey('modal')), ['ui/messages.ts']);
    assert.deepEqual(filesWith(calls('warnModal')), ['ui/messages.ts']);
    // The offer of a new token destroys nothing, nor does an import, the result of a test or what a token holds.
    assert.deepEqual(filesWith(calls('askModal')), [
      'connections/addressField.ts',
      'connections/testConnection.ts',
      'tokens/inspectToken.ts',
      'tokens/offerToken.ts',
    ]);
  });

  test('requests that destroy or create are sent from one place each', () => {
    assert.deepEqual(filesWith(calls('indices.execute')), ['truncation/execution.ts']);
    assert.deepEqual(filesWith(calls('tokens.revoke')), ['tokens/revocation.ts']);
    assert.deepEqual(filesWith(calls('tokens.create')), ['tokens/issueToken.ts']);
  });

  test('the arguments of commands: resolved to their subjects by ui/commandRegistry.ts alone', () => {
    assert.deepEqual(filesWith(isNamed('registerCommand', 'registerTextEditorCommand')), ['extension.ts']);
    assert.deepEqual(filesWith(isNamed('subjectOf')), [
      'explorer/explorer.ts',
      'ui/commandRegistry.ts',
      'ui/rowHandles.ts',
    ]);
  });

  test('the display language: taken once, and handed to the page', () => {
    assert.deepEqual(filesWith(anyOf(reads('env.language'), reads('l10n.bundle'))), [
      'pages/kit/host/pagePanel.ts',
      'startup.ts',
    ]);
    assert.deepEqual(filesWith(calls('l10n.config')), ['language.ts']);
  });

  test('texts: looked up by @vscode/l10n alone, since VS Code has none under their English', () => {
    assert.deepEqual(filesWith(reads('vscode.l10n.t')), []);
  });

  test('percentages: written by ui/formats.ts, so that page, list and question show the same', () => {
    assert.deepEqual(filesWith(anyOf(hasText(/^percent$/), calls('toFixed', 'toLocaleString'))), ['ui/formats.ts']);
  });

  test('the log: only ui/log.ts', () => {
    assert.deepEqual(filesWith(isNamed('createOutputChannel')), ['ui/log.ts']);
  });

  test('the string of a token: only where it is copied, kept, looked up or put into a terminal', () => {
    const revealsToken: Matcher = (node, source) =>
      calls('reveal')(node, source) &&
      !/(?:panel|page|view)\.reveal$/.test(dottedName(childNode(node, 'callee')) ?? '');
    assert.deepEqual(filesWith(revealsToken), [
      'integrations/openTerminal.ts',
      'service/tokens/tokenLookup.ts',
      'tokens/offerToken.ts',
      'tokens/rotateToken.ts',
      'ui/clipboard.ts',
    ]);
  });

  test('HTML: only pages/kit/host/html.ts, and only for the pages that pages/kit/host/pagePanel.ts shows', () => {
    const host = sources.filter((source) => !isPage(source));
    assert.deepEqual(filesWith(hasText(/<!doctype|<\/[a-z]+>/i), host), ['pages/kit/host/html.ts']);
    assert.deepEqual(filesWith(assigns('html'), host), ['pages/kit/host/pagePanel.ts']);
    assert.deepEqual(
      assignedOtherwise(['html'], (value) => calls('pageHtml')(value, host[0] as Source)),
      [],
    );
  });

  test('no HTML and no code is made of data', () => {
    const unsafe = [
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
      'eval',
      'Function',
      'supportHtml',
    ];
    assert.deepEqual(filesWith(anyOf(isNamed(...unsafe), assigns('isTrusted'), reads('document.write'))), []);
  });
});

/** Assignments to properties of these names, with the files, whose value is made otherwise. */
function assignedOtherwise(names: readonly string[], isMade: (value: SyntaxNode) => boolean): string[] {
  return sources.flatMap((source) =>
    source.code
      .filter((node) => assigns(...names)(node, source))
      .filter((node) => !isMade(childNode(node, 'right') ?? node))
      .map((node) => `${source.path}: ${dottedName(childNode(node, 'left')) ?? ''}`),
  );
}

/** Calls of these functions whose argument at a place isn't made as required, with their files. */
function calledOtherwise(names: readonly string[], place: number, isMade: (value: SyntaxNode) => boolean): string[] {
  return sources.flatMap((source) =>
    source.code
      .filter((node) => calls(...names)(node, source))
      .filter((node) => {
        const value = childNodes(node, 'arguments')[place];
        return value === undefined || !isMade(value);
      })
      .map((node) => `${source.path}: ${dottedName(childNode(node, 'callee')) ?? ''}`),
  );
}

/** A value that was made harmless by one of these functions, whole or in each of its parts. */
function madeBy(...functions: readonly string[]): (value: SyntaxNode) => boolean {
  const isMade = (value: SyntaxNode): boolean => {
    const part = (key: string): boolean => isMade(childNode(value, key) ?? value);
    if (value.type === 'Literal') return true;
    if (value.type === 'TemplateLiteral') return childNodes(value, 'expressions').every(isMade);
    if (value.type === 'ConditionalExpression') return part('consequent') && part('alternate');
    if (value.type !== 'CallExpression') return false;
    const callee = lastName(childNode(value, 'callee'));
    // `inPlace` only adds a mark, so its argument must be escaped already.
    return functions.includes(callee) || (callee === 'inPlace' && childNodes(value, 'arguments').every(isMade));
  };
  return isMade;
}

suite('Text of servers and other people', () => {
  /** Functions and properties that show text, and the files that may use them. */
  const PLACES: readonly (readonly [what: string, shows: Matcher, files: readonly string[]])[] = [
    [
      'messages and modal questions',
      isNamed('showInformationMessage', 'showWarningMessage', 'showErrorMessage'),
      ['ui/messages.ts'],
    ],
    ['messages in the status bar', isNamed('setStatusBarMessage'), ['ui/notices.ts']],
    ['items of the status bar', isNamed('createStatusBarItem'), ['connections/statusBar.ts']],
    ['quick picks', isNamed('createQuickPick'), ['ui/inputSteps.ts']],
    ['input boxes', isNamed('createInputBox'), ['ui/inputSteps.ts']],
    ['quick inputs without steps', isNamed('showQuickPick', 'showInputBox'), []],
    ['items to pick', assigns('items'), ['ui/inputSteps.ts']],
    ['prompts and placeholders', assigns('prompt', 'placeholder'), ['ui/inputSteps.ts']],
    ['the problem with an input', assigns('validationMessage'), ['ui/inputSteps.ts']],
    ['titles', assigns('title'), ['pages/kit/host/pagePanel.ts', 'ui/inputSteps.ts']],
    ['panels', isNamed('createWebviewPanel'), ['pages/kit/host/openPages.ts']],
    ['Markdown', isNamed('MarkdownString', 'appendMarkdown'), ['ui/tooltip.ts']],
    ['rows of the tree', calls('item'), ['explorer/explorer.ts']],
    ['items of the tree', isNamed('getTreeItem'), ['explorer/explorer.ts', 'explorer/explorerView.ts']],
    ['texts of items', assigns('item.text', 'item.tooltip'), ['connections/statusBar.ts', 'explorer/explorer.ts']],
    ['terminals', isNamed('createTerminal'), ['integrations/openTerminal.ts', 'integrations/terminalEnvironment.ts']],
    ['anything else that VS Code could show', anyOf(assigns('message', 'badge'), isNamed('showNotebookDocument')), []],
  ];

  for (const [what, shows, files] of PLACES) {
    test(`${what}: ${files.length === 0 ? 'nowhere' : `only ${files.join(', ')}`}`, () =>
      assert.deepEqual(filesWith(shows), files));
  }

  test('each of these places makes the text harmless first', () => {
    const calledWrong = [
      calledOtherwise(
        ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'],
        0,
        madeBy('inMessage', 'inPlainText'),
      ),
      calledOtherwise(['setStatusBarMessage'], 0, madeBy('inLabel')),
      calledOtherwise(['createWebviewPanel'], 1, madeBy('inPlainText')),
      // Names of facts are ours.
      calledOtherwise(['appendMarkdown'], 0, (value) => madeBy('inMarkdown')(value) || isFact(value)),
    ];
    const assignedWrong = [
      assignedOtherwise(['prompt', 'placeholder'], madeBy('inMessage', 'inPlainText')),
      assignedOtherwise(['title'], madeBy('inPlainText')),
      assignedOtherwise(['items'], (value) => codeOf(value) === 'items.map(escapedPickItem)'),
      // Information is escaped where it becomes a message of the input box.
      assignedOtherwise(['validationMessage'], (value) => madeBy('inMessage')(childNode(value, 'alternate') ?? value)),
      assignedOtherwise(['item.text'], madeBy('inLabel')),
      assignedOtherwise(
        ['item.tooltip'],
        (value) => madeBy('inPlainText')(value) || codeOf(value) === 'tooltip.markdown',
      ),
    ];
    assert.deepEqual([...calledWrong, ...assignedWrong].flat(), []);
  });

  test('a row of the tree is made plain where VS Code asks for it', () => {
    const explorer = sources.find(({ path }) => path === 'explorer/explorer.ts') ?? assert.fail();
    const rows = explorer.code.filter((node) => calls('item')(node, explorer));
    assert.deepEqual(
      rows.map((row) => lastName(childNode(explorer.parentOf(row) ?? row, 'callee'))),
      ['plainTreeItem'],
    );
  });

  test('a terminal has a name and a first line without control characters', () => {
    const opener = sources.find(({ path }) => path === 'integrations/openTerminal.ts') ?? assert.fail();
    const created = opener.code.find((node) => calls('createTerminal')(node, opener));
    const shown = childNodes(
      childNodes(created ?? assert.fail(), 'arguments')[0] ?? assert.fail(),
      'properties',
    ).filter((node) => isKey('name')(node, opener) || isKey('message')(node, opener));
    assert.equal(shown.length, 2);
    assert.ok(shown.every((node) => madeBy('inLabel', 'inSentence')(childNode(node, 'value') ?? node)));
  });

  test('progress has a title in one place, which makes it harmless', () => {
    const uses = sources.flatMap((source) =>
      source.code
        .filter((node) => calls('withProgress')(node, source))
        .map((node) => [source.path, childNodes(node, 'arguments')[0]?.type]),
    );
    assert.deepEqual(uses, [
      ['explorer/explorer.ts', 'ObjectExpression'],
      ['ui/progress.ts', 'Identifier'],
    ]);
    const [explorer, progress] = ['explorer/explorer.ts', 'ui/progress.ts'].map((path) =>
      (sources.find((source) => source.path === path)?.code ?? [])
        .filter((node) => isKey('title')(node, sources[0] as Source))
        .map((node) => childNode(node, 'value') ?? node),
    );
    assert.deepEqual(explorer, []);
    assert.ok(progress?.length === 1 && progress.every(madeBy('inMessage')));
  });

  test('an icon stands in no sentence: it is drawn where an item has one', () => {
    assert.deepEqual(
      filesWith(
        hasText(/\$\((?:[a-z]|$)/),
        sources.filter(({ path }) => path !== 'ui/foreignText.ts'),
      ),
      ['connections/statusBar.ts', 'ui/inputSteps.ts', 'ui/notices.ts'],
    );
  });

  test('ui/foreignText.ts could run anywhere', () => {
    const { imports = [] } = sources.find(({ path }) => path === 'ui/foreignText.ts') ?? {};
    assert.deepEqual(
      imports.map(({ path }) => path),
      ['service/failure/redaction.ts'],
    );
  });
});

/** A template of a name of ours and a value: `**${name}**: ${inMarkdown(value)}`. */
function isFact(value: SyntaxNode): boolean {
  const [name, ...values] = childNodes(value, 'expressions');
  return value.type === 'TemplateLiteral' && codeOf(name) === 'name' && values.every(madeBy('inMarkdown'));
}

/** A short expression of names and calls as it is written. */
function codeOf(node: SyntaxNode | undefined): string | undefined {
  if (node?.type !== 'CallExpression') return dottedName(node);
  const values = childNodes(node, 'arguments').map((value) => codeOf(value) ?? '…');
  return `${dottedName(childNode(node, 'callee')) ?? '…'}(${values.join(', ')})`;
}
