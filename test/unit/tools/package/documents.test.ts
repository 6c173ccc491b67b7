import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { packagedReadme } from '../../../../tools/package/readme.ts';
import { root } from '../../../../tools/paths.ts';

const markdown = readFileSync(join(root, 'README.md'), 'utf8');
const ADDRESS = { content: 'https://example.com/a/b/blob/v1.0.0', images: 'https://example.com/a/b/raw/v1.0.0' };

/** Where the pictures and links of a document lead. */
function targetsOf(text: string): { pictures: string[]; links: string[] } {
  const found = [...text.matchAll(/(!?)\[[^\]]*\]\(([^)]*)\)/g)];
  const targets = (mark: string): string[] => found.flatMap(([, one, target = '']) => (one === mark ? [target] : []));
  return { pictures: targets('!'), links: targets('') };
}

suite('The README of a package without an address', () => {
  test('has no pictures', () => {
    assert.equal(packagedReadme('before\n\n![The tree](media/tree.png)\n\nafter\n'), 'before\n\nafter\n');
  });

  test('keeps only the text of links to files that are not in the package', () => {
    assert.equal(
      packagedReadme('see [what each server knows](COMPATIBILITY.md), or [MIT](LICENSE)'),
      'see what each server knows, or MIT',
    );
  });

  test('keeps links within the page and to the web, and text that only looks like a link', () => {
    const text = 'a [part](#security), a [site](https://example.com/a), `items[0](x y)`, [a] (b)';
    assert.equal(packagedReadme(text), text);
  });

  test('leaves nothing in this README that would be broken in the package', () => {
    assert.notEqual(targetsOf(markdown).pictures.length, 0, 'there is a picture to begin with');
    const { pictures, links } = targetsOf(packagedReadme(markdown));
    assert.deepEqual(pictures, []);
    assert.deepEqual(
      links.filter((target) => !/^(?:https:|#)/.test(target)),
      [],
    );
    assert.doesNotMatch(packagedReadme(markdown), /<img/i);
  });
});

suite('The README of a package with an address', () => {
  test('has pictures and links there, each at its own base', () => {
    assert.equal(
      packagedReadme('![The tree](media/tree.png)\n\nsee [the rest](COMPATIBILITY.md#tokens)\n', ADDRESS),
      `![The tree](${ADDRESS.images}/media/tree.png)\n\nsee [the rest](${ADDRESS.content}/COMPATIBILITY.md#tokens)\n`,
    );
  });

  test('keeps links within the page and to the web, and text that only looks like a link', () => {
    const text = 'a [part](#security), ![a picture](https://example.com/a.png), `items[0](x y)`, [a] (b)';
    assert.equal(packagedReadme(text, ADDRESS), text);
  });

  test('has every picture of this README at an https address, of a file that is in the repository', () => {
    const released = packagedReadme(markdown, ADDRESS);
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
