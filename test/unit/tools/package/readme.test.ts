import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { packagedReadme } from '../../../../tools/package/readme.ts';
import { root } from '../../../../tools/paths.ts';

suite('packagedReadme', () => {
  test('omits pictures', () => {
    assert.equal(packagedReadme('before\n\n![The tree](media/tree.png)\n\nafter\n'), 'before\n\nafter\n');
  });

  test('keeps only the text of links to files that are not in the package', () => {
    assert.equal(
      packagedReadme('see [what each server knows](COMPATIBILITY.md), or [MIT](LICENSE)'),
      'see what each server knows, or MIT',
    );
  });

  test('keeps links within the page and to the web, and text that only looks like a link', () => {
    const markdown = 'a [part](#security), a [site](https://example.com/a), `items[0](x y)`, [a] (b)';
    assert.equal(packagedReadme(markdown), markdown);
  });

  test('leaves nothing in this README that would be broken in the package', () => {
    const markdown = readFileSync(join(root, 'README.md'), 'utf8');
    assert.match(markdown, /!\[[^\]]+\]\(media\/[\w-]+\.png\)/, 'there is a picture to begin with');
    const targets = [...packagedReadme(markdown).matchAll(/\]\(([^)]*)\)/g)].map(([, target = '']) => target);
    assert.deepEqual(
      targets.filter((target) => !/^(?:https:|#)/.test(target)),
      [],
    );
    assert.doesNotMatch(packagedReadme(markdown), /<img/i);
  });
});
