import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, SETTINGS, VIEWS, OVERVIEW_VIEW_TYPE, WIZARD_VIEW_TYPE } from '../../../src/manifest.ts';
import { activated, installedExtension } from './support/extension.ts';

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly displayName: string;
  readonly engines: { readonly vscode: string };
  readonly activationEvents: readonly string[];
  readonly enabledApiProposals?: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: unknown };
    readonly virtualWorkspaces: unknown;
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly name: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string }[]>>;
    readonly configuration: {
      readonly properties: Readonly<
        Record<string, { readonly scope: string; readonly default: unknown; readonly markdownDescription: string }>
      >;
    };
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly title: string;
        readonly description: string;
        readonly completionEvents: readonly string[];
      }[];
    }[];
  };
}

/** package.json as read by VS Code, with its texts. */
suite('The manifest as VS Code reads it', () => {
  const manifest = installedExtension().packageJSON as Manifest;
  const { contributes } = manifest;
  const commandIds = Object.values<string>(COMMANDS);

  suiteSetup(async () => {
    await activated();
  });

  test('has its own name and the promised oldest VS Code', () => {
    assert.equal(installedExtension().id, 'metadata-service-tools.metadata-service');
    assert.equal(manifest.displayName, 'DataHub Tokens and Time Series');
    assert.equal(manifest.engines.vscode, '^1.105.0');
    assert.deepEqual(manifest.enabledApiProposals ?? [], []);
  });

  test('works in untrusted and virtual workspaces', () => {
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, true);
    assert.equal(manifest.capabilities.virtualWorkspaces, true);
  });

  test('declares the commands of the code, all of which are registered', async () => {
    const declared = contributes.commands.map(({ command }) => command);
    assert.deepEqual(declared.toSorted(), commandIds.toSorted());
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      declared.filter((command) => !registered.has(command)),
      [],
    );
    const ours = [...registered].filter(
      (command) => command.startsWith('metadataService.') && !isMadeByVSCode(command),
    );
    assert.deepEqual(ours.toSorted(), commandIds.toSorted());
  });

  test('gives every command a title in words and the one category', () => {
    for (const { command, title, category } of contributes.commands) {
      assert.match(title, /^[A-Z][A-Za-z' ()-]+(?:\.\.\.)?$/, command);
      assert.equal(category, 'DataHub', command);
    }
    const titles = contributes.commands.map(({ title }) => title);
    assert.equal(new Set(titles).size, titles.length, 'two commands have one title');
  });

  test('names only its own commands in menus, welcome view and walkthrough', () => {
    const inMenus = Object.values(contributes.menus).flatMap((entries) =>
      entries.flatMap(({ command }) => command ?? []),
    );
    const texts = [
      ...contributes.viewsWelcome.map(({ contents }) => contents),
      ...contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ description }) => description)),
    ];
    const inTexts = texts.flatMap((text) => [...text.matchAll(/\(command:([^)]+)\)/g)].map((match) => match[1] ?? ''));
    const inSteps = contributes.walkthroughs.flatMap(({ steps }) =>
      steps.flatMap(({ completionEvents }) =>
        completionEvents.flatMap((event) => /^onCommand:(.+)$/.exec(event)?.[1] ?? []),
      ),
    );
    assert.ok(inMenus.length > 20 && inTexts.length > 0 && inSteps.length > 0);
    assert.deepEqual(
      [...inMenus, ...inTexts, ...inSteps].filter((command) => !commandIds.includes(command)),
      [],
    );
  });

  test('has one view, with a welcome that leads to a connection', () => {
    const views = Object.values(contributes.views).flat();
    assert.deepEqual(
      views.map(({ id, name }) => ({ id, name })),
      [{ id: VIEWS.explorer, name: 'DataHub' }],
    );
    assert.match(
      contributes.viewsWelcome[0]?.contents ?? '',
      /\[Add Connection\]\(command:metadataService\.connection\.add\)/,
    );
  });

  test('prevents workspaces from changing any setting, and has no text settings', () => {
    const { properties } = contributes.configuration;
    assert.deepEqual(Object.keys(properties).toSorted(), Object.values<string>(SETTINGS).toSorted());
    for (const [id, { scope, default: fallback, markdownDescription }] of Object.entries(properties)) {
      assert.ok(['application', 'machine'].includes(scope), `${id} has the scope ${scope}`);
      assert.equal(typeof fallback, 'number', id);
      assert.doesNotMatch(markdownDescription, /^%/, id);
      assert.equal(vscode.workspace.getConfiguration().inspect(id)?.defaultValue, fallback, id);
    }
  });

  test('activates the extension only for its view, its commands, the palette and a restored page', () => {
    assert.deepEqual(
      manifest.activationEvents.filter((event) => !/^on(?:Command|View):metadataService\./.test(event)),
      [
        ...[WIZARD_VIEW_TYPE, OVERVIEW_VIEW_TYPE].map((type) => `onWebviewPanel:${type}`),
        'onCommand:workbench.action.showCommands',
      ],
    );
  });
});

suite('The API for other extensions', () => {
  test('can be read, but neither changed nor used to act', async () => {
    const { api } = await activated();
    assert.ok(Object.isFrozen(api));
    // The context, the tree and the store exist only in tests.
    assert.deepEqual(Object.keys(api).toSorted(), [
      'connections',
      'context',
      'explorer',
      'onDidChangeConnections',
      'store',
      'version',
    ]);
    assert.equal(api.version, 1);
    assert.deepEqual(api.connections(), []);
  });
});

/** VS Code adds its own commands for each view, such as focus, open and remove. */
function isMadeByVSCode(command: string): boolean {
  return command.startsWith(`${VIEWS.explorer}.`) && !Object.values<string>(COMMANDS).includes(command);
}
