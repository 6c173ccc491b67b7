// Documents promise exactly what package.json declares.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { NEEDED } from '../../tools/package/packageFaults.ts';
import { root } from '../../tools/paths.ts';
import { typescriptFiles } from '../../tools/sources.ts';

type Manifest = {
  version: string;
  scripts: Record<string, string>;
  contributes: {
    commands: { command: string; title: string; category: string }[];
    menus: { commandPalette: { command: string; when: string }[] };
    configuration: { properties: Record<string, { default: unknown; scope: string; markdownDescription: string }> };
    walkthroughs: { steps: { media: { markdown: string } }[] }[];
  };
};

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
const manifest = JSON.parse(read('package.json')) as Manifest;
const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;

/** The text in package.nls.json that a placeholder stands for. */
function textOf(placeholder: string): string {
  return texts[placeholder.replaceAll('%', '')] ?? assert.fail(`package.nls.json has no ${placeholder}`);
}

/** The text of a section of the README. */
function sectionOf(heading: string): string {
  const [, rest = ''] = readme.split(`\n## ${heading}\n`);
  return rest.split('\n## ')[0] ?? '';
}

/** The rows of all tables, cell by cell, without their marks. */
function rowsOf(markdown: string): string[][] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|') && !line.startsWith('|---'));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

/** Name, default and meaning of each setting in the README. */
function listedSettings(): string[][] {
  return Array.from(
    readme.matchAll(/^- `(metadataService\.[^`]+)` \((.+?)\): (.+(?:\n  .+)*)$/gm),
    ([, name = '', value = '', meaning = '']) => [name, value, meaning.replaceAll('\n  ', ' ').replaceAll('`', '')],
  );
}

/** The source files below some folders. */
function sourceFiles(...tops: readonly string[]): string[] {
  return tops
    .flatMap((top) =>
      readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((path) => join(top, path)),
    )
    .filter((path) => /\.(?:ts|mjs|http)$/.test(path) && !path.includes('node_modules'));
}

/** The headings of a document as GitHub and VS Code make addresses of them. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The titles of these commands, as the palette has them but for their ellipses. */
function titlesOf(commands: Manifest['contributes']['commands']): string[] {
  return commands.map(({ title }) => textOf(title).replace(/\.\.\.$/, '')).toSorted();
}

const { commands, menus } = manifest.contributes;
const commandTitles = titlesOf(commands);

/** Quoted messages in the first column of a table, without the values that the extension puts in. */
function quotedMessages(markdown: string): string[] {
  return rowsOf(markdown)
    .slice(1)
    .flatMap(([symptom = '']) => Array.from(symptom.matchAll(/\*([^*]+)\*/g), ([, quote = '']) => quote))
    .flatMap((quote) => quote.split('…').map((part) => part.trim()))
    .filter((part) => part !== '');
}

suite('README', () => {
  test('names every command, and says which are in the palette', () => {
    const rows = rowsOf(sectionOf('Commands')).slice(1);
    const named = (column: number): string[] =>
      rows.flatMap((cells) => cells[column]?.split(', ') ?? []).filter((name) => name !== '');
    assert.deepEqual([...named(1), ...named(2)].toSorted(), commandTitles);
    const hidden = new Set(menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command));
    assert.deepEqual(named(1).toSorted(), titlesOf(commands.filter(({ command }) => !hidden.has(command))));
    const [category] = new Set(commands.map((command) => command.category));
    assert.ok(readme.includes(`in the Command Palette under **${category}**`));
  });

  test('lists every setting with its default, in the words of the Settings editor', () => {
    const { properties } = manifest.contributes.configuration;
    assert.deepEqual(
      listedSettings(),
      Object.entries(properties).map(([name, setting]) => [
        name,
        String(setting.default),
        textOf(setting.markdownDescription).replaceAll('`', ''),
      ]),
    );
  });
});

suite('The guide and the list of troubles', () => {
  test('say of every command what it does', () => {
    const rows = rowsOf(read('docs/guide.md')).filter(([title]) => title !== 'Command');
    assert.deepEqual(rows.map(([title]) => title).toSorted(), commandTitles);
    for (const [title, does = ''] of rows) assert.match(does, /^[A-Z].*\.$/, title);
  });

  test('quote messages as the extension shows them', () => {
    const source = sourceFiles('src')
      .map(read)
      .join('\n')
      .replaceAll(String.raw`\'`, "'");
    const quoted = quotedMessages(read('docs/troubleshooting.md'));
    assert.ok(quoted.length > 15, `found ${quoted.length}`);
    const inReadme = quotedMessages(sectionOf('Troubleshooting'));
    assert.deepEqual(
      [...quoted, ...inReadme].filter((part) => !source.includes(part)),
      [],
    );
    assert.deepEqual(
      inReadme.filter((part) => !quoted.includes(part)),
      [],
      'the README has the most likely ones',
    );
  });
});

suite('Documents', () => {
  const documents = [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    '.github/SUPPORT.md',
    'docs/guide.md',
    'docs/troubleshooting.md',
    'docs/servers.md',
    'docs/administrators.md',
    'docs/maintaining.md',
    'src/service/PROTOCOL.md',
    'media/walkthrough/connect.md',
    'media/walkthrough/tokens.md',
    'media/walkthrough/truncate.md',
  ].map((path) => ({ path, text: read(path) }));

  test('name only existing scripts and files', () => {
    const scripts = documents.flatMap(({ text }) =>
      [...text.matchAll(/`npm (?!ci`)(?:run )?(?:--silent )?([\w:]+)/g)].map(([, script = '']) => script),
    );
    assert.ok(scripts.length >= 15, `found ${scripts.join(', ')}`);
    for (const script of scripts) assert.ok(script in manifest.scripts, `npm run ${script}`);
    const paths = documents.flatMap(({ text }) =>
      [...text.matchAll(/`((?:src|test|tools|media|\.github)(?:\/[\w.-]+)+)`/g)].map(([, path = '']) => path),
    );
    assert.ok(paths.length >= 8, `found ${paths.join(', ')}`);
    for (const path of paths) assert.ok(existsSync(join(root, path)), path);
  });

  test('for contributors name sources by the end of their path', () => {
    const files = ['src', 'test', 'tools'].flatMap(typescriptFiles).map((path) => `/${path}`);
    const named = ['CONTRIBUTING.md', 'docs/maintaining.md'].flatMap((path) =>
      Array.from(read(path).matchAll(/`([\w./-]+\.ts)`/g), ([, name = '']) => name),
    );
    assert.ok(named.length > 25, `found ${named.length}`);
    assert.deepEqual(
      named.filter((path) => !files.some((file) => file.endsWith(`/${path}`))),
      [],
    );
  });

  test('link to files and headings that are there', () => {
    const links = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:|command:)([^)#]*)#?([^)]*)\)/g)].map(([, target = '', anchor = '']) => ({
        file: target === '' ? path : join(dirname(path), target),
        anchor,
      })),
    );
    assert.ok(links.some(({ anchor }) => anchor !== '') && links.some(({ file }) => file.endsWith('.png')));
    const missing = links.filter(
      ({ file, anchor }) => !existsSync(join(root, file)) || (anchor !== '' && !anchorsOf(read(file)).includes(anchor)),
    );
    assert.deepEqual(missing, []);
  });

  test('comments cite sections that PROTOCOL.md has', () => {
    const sections = new Set(
      [...read('src/service/PROTOCOL.md').matchAll(/^##+ (\d+(?:\.\d+)?)/gm)].map(([, number]) => number),
    );
    const cited = sourceFiles('src', 'test', 'tools').flatMap((path) =>
      [...read(path).matchAll(/PROTOCOL\.md ((?:(?:, )?§\d+(?:\.\d+)?)+)/g)].flatMap(([, all = '']) =>
        [...all.matchAll(/§(\d+(?:\.\d+)?)/g)].map(([, number]) => ({ path, number })),
      ),
    );
    assert.ok(cited.length > 50, `found ${cited.length}`);
    assert.deepEqual(
      cited.filter(({ number }) => !sections.has(number)),
      [],
    );
  });
});

suite('Other documents', () => {
  test('the changelog has an entry for this version', () => {
    assert.ok(read('CHANGELOG.md').includes(`\n## [${manifest.version}] - `));
  });

  test('each step of the walkthrough has a page with something on it, and its pictures are in the package', () => {
    const pages = manifest.contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.markdown));
    for (const page of pages) assert.match(read(page), /^## \S/, page);
    const pictures = pages.flatMap((page) =>
      Array.from(read(page).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g), ([, path = '']) =>
        join('extension', dirname(page), path),
      ),
    );
    assert.ok(pictures.length >= 2);
    assert.deepEqual(
      pictures.filter((path) => !NEEDED.includes(path)),
      [],
    );
  });

  test('nothing in the changelog leads to a file, which the package would not have', () => {
    assert.doesNotMatch(read('CHANGELOG.md'), /\]\((?!https:)/);
  });
});
