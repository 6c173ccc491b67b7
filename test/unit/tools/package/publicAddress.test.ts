import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { publicAddress } from '../../../../tools/package/publicAddress.ts';
import { root } from '../../../../tools/paths.ts';

const CONTENT = 'https://example.com/a/b/blob/v1.0.0';
const IMAGES = 'https://example.com/a/b/raw/v1.0.0';

suite('The public address of a package', () => {
  test('is undefined by default', () => assert.equal(publicAddress([]), undefined));

  test('is where links lead and where pictures are', () => {
    assert.deepEqual(publicAddress(['--baseContentUrl', CONTENT, '--baseImagesUrl', IMAGES]), {
      content: CONTENT,
      images: IMAGES,
    });
  });

  for (const args of [
    ['--baseContentUrl', CONTENT],
    ['--baseImagesUrl', IMAGES],
    ['--baseContentUrl', CONTENT, '--baseImagesUrl', 'http://example.com'],
    ['--baseContentUrl', 'example.com', '--baseImagesUrl', IMAGES],
    ['--baseUrl', CONTENT],
    [CONTENT],
  ]) {
    test(`is refused in "${args.join(' ')}"`, () => assert.throws(() => publicAddress(args)));
  }

  test('is that of the tag if a public repository makes a release', () => {
    const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
    const [, words = ''] = /npm run package -- (.+)/.exec(workflow) ?? [];
    const variables: Readonly<Record<string, string>> = {
      REPOSITORY: 'https://example.com/a/b',
      GITHUB_REF_NAME: 'v1.0.0',
    };
    const args = words
      .split(' ')
      .map((word) =>
        word.replaceAll('"', '').replaceAll(/\$(\w+)/g, (_, name: string) => variables[name] ?? assert.fail(name)),
      );
    assert.deepEqual(publicAddress(args), { content: CONTENT, images: IMAGES });
  });
});
