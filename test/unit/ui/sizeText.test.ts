import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { formatsOf } from '../../../src/ui/formats.ts';
import { reportedSizeText, sizeText } from '../../../src/ui/sizeText.ts';

const FORMATS = formatsOf('en');

suite('A size that a server reports', () => {
  test('is told as it is, or as about so much', () => {
    assert.equal(sizeText(26_460_000, 'exact', FORMATS), '26 MB');
    assert.equal(sizeText(26_460_000, 'approximate', FORMATS), 'about 26 MB');
    assert.equal(reportedSizeText({ bytes: 0, precision: 'approximate' }, FORMATS), 'about 0 bytes');
  });

  test("is none where it isn't known", () =>
    assert.equal(reportedSizeText({ bytes: undefined, precision: 'approximate' }, FORMATS), undefined));
});
