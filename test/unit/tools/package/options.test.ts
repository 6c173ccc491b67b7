import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { packageOptions } from '../../../../tools/package/options.ts';
import { root } from '../../../../tools/paths.ts';

const CONTENT = 'https://example.com/a/b/blob/v1.0.0';
const IMAGES = 'https://example.com/a/b/raw/v1.0.0';

suite('The options of a package', () => {
  test('are links of the page', () => {
    const links = { repository: 'https://example.com/a/b.git', bugs: `${CONTENT}?x=1`, homepage: `${CONTENT}#readme` };
    const args = Object.entries(links).flatMap(([name, url]) => [`--${name}`, url]);
    assert.deepEqual(packageOptions(args), { links });
  });

  for (const args of [
    ['--baseContentUrl', CONTENT],
    ['--baseContentUrl', `${CONTENT}/`, '--baseImagesUrl', IMAGES],
    ['--baseUrl', CONTENT],
    ['--repository', 'https://user:secret@example.com/a'],
    ['--repository', 'https://example.com/a"; echo "b'],
    ['--bugs', 'https://example.com/a)[b](javascript:alert(1)'],
  ]) {
    test(`are refused in ${JSON.stringify(args.join(' '))}`, () =>
      assert.throws(
        () => packageOptions(args),
        /plain address|go together|no slash|Unknown option|Unexpected argument|argument missing|ambiguous/,
      ));
  }

  test('are those of the tag if a public repository makes a release', () => {
    const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
    const [, words = ''] = /npm run --silent package --((?:\s+--\w+ "[^"]+")+)/.exec(workflow) ?? [];
    const variables: Readonly<Record<string, string>> = {
      REPOSITORY: 'https://example.com/a/b',
      GITHUB_REF_NAME: 'v1.0.0',
    };
    const args = words
      .trim()
      .split(/\s+/)
      .map((word) =>
        word.replaceAll('"', '').replaceAll(/\$(\w+)/g, (_, name: string) => variables[name] ?? assert.fail(name)),
      );
    assert.deepEqual(packageOptions(args), {
      address: { content: CONTENT, images: IMAGES },
      links: {
        repository: 'https://example.com/a/b',
        bugs: 'https://example.com/a/b/issues',
        homepage: 'https://example.com/a/b#readme',
        qna: 'https://example.com/a/b/blob/HEAD/.github/SUPPORT.md',
      },
    });
  });
});
