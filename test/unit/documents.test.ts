// What README.md promises is what package.json declares.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { root } from '../paths.ts';

type Manifest = {
  version: string;
  scripts: Record<string, string>;
  contributes: {
    commands: { command: string; title: string }[];
    configuration: { properties: Record<string, { default: unknown; scope: string }> };
    walkthroughs: { steps: { media: { markdown: string } }[] }[];
  };
};

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
const manifest = JSON.parse(read('package.json')) as Manifest;
const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;

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

suite('README', () => {
  test('names every command of the palette, as the palette does', () => {
    const named = rowsBelow('Commands').flatMap(([names = '']) => names.split(', '));
    // A few share their last words: "Add, Edit, Remove Connection".
    const titles = named.flatMap((name) => (/^(?:Add|Edit)$/.test(name) ? [`${name} Connection`] : [name]));
    const declared = manifest.contributes.commands
      .map(({ title }) => (texts[title.replaceAll('%', '')] ?? title).replace(/\.\.\.$/, ''))
      .filter((title) => title !== 'Copy Failure Details');
    assert.deepEqual(titles.filter((title) => title !== 'Command').toSorted(), declared.toSorted());
  });

  test('lists every setting with its default, none of them for a workspace to set', () => {
    const { properties } = manifest.contributes.configuration;
    const listed = rowsBelow('Settings')
      .slice(1)
      .map(([name, value]) => [name, value]);
    assert.deepEqual(
      listed,
      Object.entries(properties).map(([name, setting]) => [name, String(setting.default)]),
    );
    for (const [name, { scope }] of Object.entries(properties)) assert.match(scope, /^(?:application|machine)$/, name);
  });
});

suite('README, CONTRIBUTING, SECURITY and PROTOCOL', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'src/service/PROTOCOL.md'].map((path) => ({
    path,
    text: read(path),
  }));

  test('tell only scripts that exist, and files that do', () => {
    const scripts = documents.flatMap(({ text }) =>
      [...text.matchAll(/`npm (?:run )?([\w:]+)/g)].map(([, script = '']) => script),
    );
    assert.ok(scripts.length >= 15, `found ${scripts.join(', ')}`);
    for (const script of scripts) assert.ok(script in manifest.scripts, `npm run ${script}`);
    const paths = documents.flatMap(({ text }) =>
      [...text.matchAll(/`((?:src|test|media|\.github)(?:\/[\w.-]+)+)`/g)].map(([, path = '']) => path),
    );
    assert.ok(paths.length >= 8, `found ${paths.join(', ')}`);
    for (const path of paths) assert.ok(existsSync(join(root, path)), path);
  });

  test('link to files that are there', () => {
    const links = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(([, target = '']) => join(root, dirname(path), target)),
    );
    assert.ok(links.length >= 3);
    for (const target of links) assert.ok(existsSync(target), target);
  });

  test('comments cite sections that PROTOCOL.md has', () => {
    const sections = new Set(
      [...read('src/service/PROTOCOL.md').matchAll(/^##+ (\d+(?:\.\d+)?)/gm)].map(([, number]) => number),
    );
    const files = ['src', 'test'].flatMap((top) =>
      readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((path) => join(top, path)),
    );
    const cited = files
      .filter((path) => /\.(?:ts|mjs|http)$/.test(path) && !path.includes('node_modules'))
      .flatMap((path) =>
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
  test('the changelog tells of this version', () => {
    assert.ok(read('CHANGELOG.md').includes(`\n## [${manifest.version}] - `));
  });

  test('each step of the walkthrough has a page with something on it', () => {
    for (const { media } of manifest.contributes.walkthroughs.flatMap(({ steps }) => steps))
      assert.match(read(media.markdown), /^## \S/, media.markdown);
  });
});
