// End-to-end tests compare pictures read by readPng, so it must neither lose nor invent a difference.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { palettePng, readPng, type Picture } from '../../../../tools/screenshots/png.ts';

const anyPicture: fc.Arbitrary<Picture> = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
  .chain(([width, height]) =>
    fc
      .array(fc.integer({ min: 0, max: 0xff_ff_ff }), { minLength: width * height, maxLength: width * height })
      .map((pixels) => ({ width, height, pixels: Uint32Array.from(pixels) })),
  );

test('A picture of up to 256 colours is read as it was written', () => {
  fc.assert(
    fc.property(anyPicture, (expected) => {
      assert.deepEqual(readPng(palettePng(expected)), expected);
    }),
  );
});

test('Of more colours, distinct ones are kept, however rare', () => {
  const background = Array.from({ length: 90 }, (_, at) => 0x1f_1f_1f + (at % 3));
  const pixels = Uint32Array.from([...background, 0xff_00_00, 0x00_ff_00]);
  const read = readPng(palettePng({ width: pixels.length, height: 1, pixels }, 3));
  assert.deepEqual(read.pixels.slice(90), Uint32Array.of(0xff_00_00, 0x00_ff_00));
  assert.equal(new Set(read.pixels).size, 3);
});
