import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { verification } from '../../../../tools/package/verification.ts';

const CHECKSUM = 'Verify the download:\n\n    echo "abc  a.vsix" | sha256sum --check';

suite('How to verify a download', () => {
  for (const repository of ['https://github.com/a/b', 'https://github.com/a/b.git', 'https://github.com/a/b/'])
    test(`has the attestation of ${repository}`, () => {
      assert.equal(
        verification('a.vsix', 'abc', { repository }),
        `${CHECKSUM}\n    gh attestation verify a.vsix --repo a/b`,
      );
    });

  test('ends with the arguments that make the same package again', () => {
    const args = ['--bugs', 'https://example.com/issues', '--qna', 'false'];
    assert.equal(
      verification('a.vsix', 'abc', {}, args),
      `${CHECKSUM}\n\nThe same commit makes the same package again:\n\n    npm run package -- ${args.join(' ')}`,
    );
  });

  for (const repository of [
    undefined,
    'https://example.com/a/b',
    'https://github.com/a',
    'https://github.com.example/a/b',
  ])
    test(`has only the checksum for the repository ${repository ?? 'of nowhere'}`, () => {
      assert.equal(verification('a.vsix', 'abc', repository === undefined ? {} : { repository }), CHECKSUM);
    });
});
