import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { DOCUMENTS, packagedDocument } from '../../../../tools/package/documents.ts';
import { root } from '../../../../tools/paths.ts';

const readme = (markdown: string, address?: typeof ADDRESS): string => packagedDocument('README.md', markdown, address);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const ADDRESS = { content: 'https://example.com/a/b/blob/v1.0.0', images: 'https://example.com/a/b/raw/v1.0.0' };

function targetsOf(text: string): { pictures: string[]; links: string[] } {
  const found = [...text.matchAll(/(!?)\[[^\]]*\]\(([^)]*)\)/g)];
  const targets = (mark: string): string[] => found.flatMap(([, one, target = '']) => (one === mark ? [target] : []));
  return { pictures: targets('!'), links: targets('') };
}

suite('The README of a package without an address', () => {
  test('keeps only the text of links to files that are not in the package', () => {
    assert.equal(
      readme('see [what each server knows](docs/servers.md), [tokens](docs/guide.md#access-tokens), or [MIT](LICENSE)'),
      'see what each server knows, tokens, or MIT',
    );
  });

  for (const path of DOCUMENTS)
    test(`leaves nothing in ${path} that would be broken in the package`, () => {
      const { pictures, links } = targetsOf(packagedDocument(path, read(path)));
      assert.deepEqual(pictures, []);
      const broken = links.filter((target) => !/^(?:https:|#|(?:guide|troubleshooting)\.md)/.test(target));
      assert.deepEqual(broken, []);
    });
});

suite('The guide and the list of troubles in a package', () => {
  const text =
    'see [this](troubleshooting.md#a), [that](servers.md#b), [the rest](../SECURITY.md)\n\n![A](../media/a.png)\n';

  test('lead to each other, and to nothing else that is a file', () => {
    assert.equal(packagedDocument('docs/guide.md', text), 'see [this](troubleshooting.md#a), that, the rest\n\n');
  });

  test('lead to the address where there is one', () => {
    assert.equal(
      packagedDocument('docs/guide.md', text, ADDRESS),
      `see [this](troubleshooting.md#a), [that](${ADDRESS.content}/docs/servers.md#b), ` +
        `[the rest](${ADDRESS.content}/SECURITY.md)\n\n![A](${ADDRESS.images}/media/a.png)\n`,
    );
  });
});

suite('The README of a package with an address', () => {
  test('has every picture of this README at an https address, of a file that is in the repository', () => {
    const markdown = read('README.md');
    const released = readme(markdown, ADDRESS);
    const { pictures, links } = targetsOf(released);
    assert.equal(pictures.length, targetsOf(markdown).pictures.length);
    for (const target of pictures) {
      assert.ok(target.startsWith(`${ADDRESS.images}/media/`), target);
      assert.ok(existsSync(join(root, target.slice(ADDRESS.images.length))), target);
    }
    assert.deepEqual(
      links.filter((target) => !/^(?:https:|#)/.test(target)),
      [],
    );
    // Nothing else is different.
    assert.equal(released.replaceAll(`${ADDRESS.images}/`, '').replaceAll(`${ADDRESS.content}/`, ''), markdown);
  });
});
