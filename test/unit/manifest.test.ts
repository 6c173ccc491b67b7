import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import {
  COMMANDS,
  CONTEXT_KEYS,
  OVERVIEW_VIEW_TYPE,
  SETTING_BOUNDS,
  type SettingKey,
  SETTINGS,
  VIEWS,
  WIZARD_VIEW_TYPE,
} from '../../src/manifest.ts';
import { root } from '../../tools/paths.ts';

interface Titled {
  readonly command: string;
  readonly title: string;
  readonly category?: string;
}
interface MenuItem {
  /** Undefined for a submenu. */
  readonly command?: string;
  readonly when?: string;
  readonly group?: string;
}
interface Setting {
  readonly type: string;
  readonly scope?: string;
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly markdownDescription?: string;
}
interface Manifest {
  readonly icon: string;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly activationEvents: readonly string[];
  readonly enabledApiProposals?: unknown;
  readonly contributes: {
    readonly commands: readonly Titled[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsContainers: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly when: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
    readonly walkthroughs: readonly { readonly steps: readonly { readonly media: { readonly markdown: string } }[] }[];
  };
}

const source = readFileSync(join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(source) as Manifest;
const texts = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Readonly<Record<string, string>>;
const { commands, menus, views, viewsContainers, viewsWelcome, configuration, walkthroughs } = manifest.contributes;

function sorted(values: Iterable<string>): string[] {
  return [...values].toSorted();
}

/** The text in package.nls.json that a placeholder stands for. */
function textOf(placeholder: string | undefined): string | undefined {
  const key = /^%([^%]+)%$/.exec(placeholder ?? '')?.[1];
  return key === undefined ? undefined : texts[key];
}

const isOurs = (id: string): boolean => id.startsWith('metadataService.');

suite('The identifiers in the source and in package.json are the same', () => {
  test('commands', () =>
    assert.deepEqual(sorted(Object.values(COMMANDS)), sorted(commands.map(({ command }) => command))));
  test('settings', () =>
    assert.deepEqual(sorted(Object.values(SETTINGS)), sorted(Object.keys(configuration.properties))));
  test('views', () =>
    assert.deepEqual(
      sorted(Object.values(VIEWS)),
      sorted(Object.values(views).flatMap((some) => some.map(({ id }) => id))),
    ));

  test('context keys', () => {
    const conditions = [...Object.values(menus).flat(), ...viewsWelcome].map(({ when = '' }) => when);
    const events = [...source.matchAll(/"onContext:([^"]*)"/g)].map(([, condition = '']) => condition);
    const keys = [...conditions, ...events].join(' ').match(/metadataService\.\w+/g) ?? [];
    const viewIds = new Set<string>([...Object.values(VIEWS), WIZARD_VIEW_TYPE]);
    assert.deepEqual(sorted(new Set(keys.filter((key) => !viewIds.has(key)))), sorted(Object.values(CONTEXT_KEYS)));
  });

  test('views that menus and welcome texts are for', () => {
    const named = Object.values(menus)
      .flat()
      .flatMap(({ when = '' }) => when.match(/(?<=\bview == )[\w.]+/g) ?? []);
    assert.deepEqual(
      sorted(new Set([...named, ...viewsWelcome.map(({ view }) => view)])),
      sorted(Object.values(VIEWS)),
    );
    assert.deepEqual(
      Object.keys(views),
      Object.values(viewsContainers)
        .flat()
        .map(({ id }) => id),
    );
  });

  test('commands that menus, texts and events mention', () => {
    const inMenus = Object.values(menus)
      .flat()
      .flatMap(({ command }) => command ?? []);
    const inLinks = Object.values(texts).flatMap((text) => text.match(/(?<=\(command:)[^)?]+/g) ?? []);
    const inEvents = (source.match(/(?<="onCommand:)[^"]+/g) ?? []).filter(isOurs);
    const known = new Set<string>(Object.values(COMMANDS));
    assert.ok(inMenus.length > 0 && inLinks.length > 0);
    assert.deepEqual(
      [...inMenus, ...inLinks, ...inEvents].filter((id) => !known.has(id)),
      [],
    );
  });
});

suite('Each command', () => {
  test('has the category, and a title of its own', () => {
    for (const { command, category } of commands) assert.equal(category, 'DataHub', command);
    const titles = commands.map(({ title }) => textOf(title) ?? assert.fail(title));
    assert.deepEqual(
      titles.filter((title, index) => titles.indexOf(title) !== index),
      [],
    );
  });

  test('in the tree’s menus shows only there', () => {
    const elsewhere = [...(menus['view/title'] ?? []), ...(menus['view/item/context'] ?? [])].filter(
      ({ when = '' }) => !when.startsWith(`view == ${VIEWS.explorer}`),
    );
    assert.deepEqual(elsewhere, []);
  });
});

suite('Each setting', () => {
  for (const [id, setting] of Object.entries(configuration.properties)) {
    test(`${id} cannot be set by a workspace, and is described`, () => {
      assert.ok(setting.scope === 'application' || setting.scope === 'machine', setting.scope);
      assert.ok(textOf(setting.markdownDescription), setting.markdownDescription);
      assert.ok(isOurs(id));
    });
  }

  test('is read within the bounds that are declared', () => {
    const bounds = Object.entries(SETTINGS).map(([key, id]) => {
      const [minimum, maximum] = SETTING_BOUNDS[key as SettingKey];
      return [id, minimum, maximum];
    });
    const declared = Object.entries(configuration.properties).map(([id, { minimum, maximum }]) => [
      id,
      minimum,
      maximum,
    ]);
    assert.deepEqual(bounds.toSorted(), declared.toSorted());
    for (const { type, default: value, minimum, maximum } of Object.values(configuration.properties)) {
      assert.ok(type === 'integer' && minimum <= value && value <= maximum);
    }
  });
});

suite('Texts', () => {
  const used = Array.from(source.matchAll(/"%([^%"]+)%"/g), ([, key = '']) => key);

  test('named by package.json exist, and none is left over', () => {
    assert.ok(used.length > commands.length);
    assert.deepEqual(sorted(new Set(used)), sorted(Object.keys(texts)));
  });
});

suite('The extension', () => {
  test('wakes only for what it shows: VS Code adds its commands and views by itself', () => {
    assert.deepEqual(manifest.activationEvents, [
      ...[WIZARD_VIEW_TYPE, OVERVIEW_VIEW_TYPE].map((type) => `onWebviewPanel:${type}`),
      // For the palette, whose entries depend on the connections.
      'onCommand:workbench.action.showCommands',
    ]);
  });

  test('uses no API that is only proposed', () => assert.equal('enabledApiProposals' in manifest, false));

  test('is compiled against the oldest VS Code that it promises to run in', () => {
    assert.equal(`^${manifest.devDependencies['@types/vscode']}`, manifest.engines.vscode);
  });

  test('has the pictures and pages that it names', () => {
    const files = [
      manifest.icon,
      ...Object.values(viewsContainers)
        .flat()
        .map(({ icon }) => icon),
      ...walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.markdown)),
    ];
    assert.deepEqual(
      files.filter((file) => !existsSync(join(root, file))),
      [],
    );
  });
});
