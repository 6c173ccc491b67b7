// README.md promises exactly what package.json declares.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { NEEDED } from '../../tools/package/contents.ts';
import { root } from '../../tools/paths.ts';
import { typescriptFiles } from '../../tools/sources.ts';

type Manifest = {
  displayName: string;
  version: string;
  scripts: Record<string, string>;
  contributes: {
    commands: { command: string; title: string; category: string }[];
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

/** The rows of the tables below a heading, cell by cell, without their marks. */
function rowsBelow(heading: string): string[][] {
  const [, rest = ''] = readme.split(`\n## ${heading}\n`);
  const [section = ''] = rest.split('\n## ');
  const lines = section.split('\n').filter((line) => line.startsWith('|') && !line.startsWith('|---'));
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

suite('README', () => {
  test('says of every command what it does, by the name that the palette has for it', () => {
    const rows = rowsBelow('Commands').filter(([title]) => title !== 'Command');
    const declared = new Set(manifest.contributes.commands.map(({ title }) => textOf(title).replace(/\.\.\.$/, '')));
    assert.deepEqual(rows.map(([title]) => title).toSorted(), [...declared].toSorted());
    for (const [title, does = ''] of rows) {
      assert.match(does, /^[A-Z].*\.$/, title);
      // One line, whose links lead to the details.
      assert.ok(does.replaceAll(/\]\([^)]*\)/g, '').length <= 112, `${title}: ${does}`);
    }
    const [category] = new Set(manifest.contributes.commands.map((command) => command.category));
    assert.ok(readme.includes(`in the Command Palette under **${category}**`));
  });

  test('lists every setting with its default, in the words of the Settings editor; no workspace can set one', () => {
    const { properties } = manifest.contributes.configuration;
    assert.deepEqual(
      listedSettings(),
      Object.entries(properties).map(([name, setting]) => [
        name,
        String(setting.default),
        textOf(setting.markdownDescription).replaceAll('`', ''),
      ]),
    );
    for (const [name, { scope }] of Object.entries(properties)) assert.match(scope, /^(?:application|machine)$/, name);
  });

  test('quotes messages as the extension shows them', () => {
    const source = sourceFiles('src')
      .map(read)
      .join('\n')
      .replaceAll(String.raw`\'`, "'");
    // A quote leaves out the values that the extension puts in.
    const quoted = rowsBelow('Troubleshooting')
      .slice(1)
      .flatMap(([symptom = '']) => Array.from(symptom.matchAll(/\*([^*]+)\*/g), ([, quote = '']) => quote))
      .flatMap((quote) => quote.split('…').map((part) => part.trim()))
      .filter((part) => part !== '');
    assert.ok(quoted.length > 15, `found ${quoted.length}`);
    assert.deepEqual(
      quoted.filter((part) => !source.includes(part)),
      [],
    );
  });

  test('begins with what the extension does and why it is safe, with one picture; first minutes and commands follow', () => {
    const sections = readme.split('\n## ');
    const [whatItDoes = '', ...titles] = sections.map((section, index) =>
      index === 0 ? section : section.split('\n')[0],
    );
    assert.equal(whatItDoes.split('\n')[0], `# ${manifest.displayName}`);
    assert.deepEqual(titles.slice(0, 5), ["Why It's Safe", 'Install', 'First Minutes', 'Commands', 'Settings']);
    assert.deepEqual(titles.slice(-5), ['Troubleshooting', 'Security', 'Privacy', 'Development', 'License']);
    const [, safe = ''] = sections;
    assert.deepEqual(
      Array.from(`${whatItDoes}${safe}`.matchAll(/^!\[[^\]]{100,}\]\((media\/[^)]+)\)/gm), ([, path]) => path),
      ['media/story.gif'],
      'one picture, whose text tells its story',
    );
    assert.equal(safe.split('\n\n')[1]?.match(/[.](?=\s|$)/g)?.length, 3, 'three sentences');
    // One command is for people who have a server, whether they build the extension or not.
    for (const section of sections.filter((text) => !text.startsWith('Development\n')))
      assert.doesNotMatch(section, /\bnpm (?:run(?! --silent conformance)|start|test|install)\b/);
  });
});

suite('Documents', () => {
  const documents = [
    'README.md',
    'CHANGELOG.md',
    'COMPATIBILITY.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'SUPPORT.md',
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
    const named = Array.from(read('CONTRIBUTING.md').matchAll(/`([\w./-]+\.ts)`/g), ([, path = '']) => path);
    assert.ok(named.length > 40, `found ${named.length}`);
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
