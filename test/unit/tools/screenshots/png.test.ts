import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { palettePng, readPng } from '../../../../tools/screenshots/png.ts';
import type { Picture } from '../../../../tools/screenshots/png.ts';

const picture = (colour: fc.Arbitrary<number>): fc.Arbitrary<Picture> =>
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
    .chain(([width, height]) =>
      fc
        .array(colour, { minLength: width * height, maxLength: width * height })
        .map((pixels) => ({ width, height, pixels: Uint32Array.from(pixels) })),
    );
const anyColour = fc.integer({ min: 0, max: 0xff_ff_ff });

/** The chunks of a file, in order. */
function chunks(file: Buffer): { type: string; data: Buffer; body: Buffer; crc: number }[] {
  const found = [];
  for (let at = 8; at < file.length;) {
    const end = at + 8 + file.readUInt32BE(at);
    const body = file.subarray(at + 4, end);
    found.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4), body, crc: file.readUInt32BE(end) });
    at = end + 4;
  }
  return found;
}

/** What a viewer would show of a file with a palette. */
function shown(file: Buffer, width: number): number[] {
  const [, palette, data] = chunks(file).map((chunk) => chunk.data);
  assert.ok(palette !== undefined && data !== undefined);
  return [...inflateSync(data)].flatMap((index, at) =>
    at % (width + 1) === 0 ? [] : [palette.readUIntBE(index * 3, 3)],
  );
}

/** A file as a browser writes it: red, green, blue, alpha, with a filter of its own on each line. */
function trueColourFile({ width, height, pixels }: Picture, filters: readonly number[]): Buffer {
  const bytes = [...pixels].flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff, 0xff]);
  const lineBytes = width * 4;
  const lines = Array.from({ length: height }, (_, line) => {
    const filter = filters[line % filters.length] ?? 0;
    const filtered = Array.from({ length: lineBytes }, (_byte, column) => {
      const at = line * lineBytes + column;
      const left = column < 4 ? 0 : (bytes[at - 4] ?? 0);
      const above = line === 0 ? 0 : (bytes[at - lineBytes] ?? 0);
      const corner = column < 4 || line === 0 ? 0 : (bytes[at - lineBytes - 4] ?? 0);
      const byDistance = [left, above, corner].map((value, rank) => ({
        value,
        rank,
        distance: Math.abs(left + above - corner - value),
      }));
      const [paeth] = byDistance.toSorted((a, b) => a.distance - b.distance || a.rank - b.rank);
      const predicted = [0, left, above, Math.floor((left + above) / 2), paeth?.value ?? 0][filter] ?? 0;
      return ((bytes[at] ?? 0) - predicted) & 0xff;
    });
    return [filter, ...filtered];
  });
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, 6, 0, 0, 0]);
  const parts = [
    { type: 'IHDR', data: header },
    { type: 'IDAT', data: deflateSync(Buffer.from(lines.flat())) },
    { type: 'IEND', data: Buffer.alloc(0) },
  ];
  return Buffer.concat([
    Buffer.alloc(8),
    ...parts.flatMap(({ type, data }) => [
      Buffer.from([0, 0, 0, data.length]),
      Buffer.from(type),
      data,
      Buffer.alloc(4),
    ]),
  ]);
}

suite('png', () => {
  test('reads what each filter wrote', () => {
    const small = picture(anyColour).filter(({ pixels }) => pixels.length <= 40);
    fc.assert(
      fc.property(
        small,
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 5 }),
        (expected, filters) => {
          assert.deepEqual(readPng(trueColourFile(expected, filters)), expected);
        },
      ),
    );
  });

  test('refuses a file of another kind', () => {
    const grey = chunks(trueColourFile({ width: 1, height: 1, pixels: Uint32Array.of(0) }, [0]));
    const header = Buffer.from(grey[0]?.data ?? []);
    header[9] = 0;
    const file = Buffer.concat([
      Buffer.alloc(8),
      Buffer.from([0, 0, 0, header.length]),
      Buffer.from('IHDR'),
      header,
      Buffer.alloc(4),
    ]);
    assert.throws(() => readPng(file), /not of the kind/);
  });

  test('writes up to 256 colours as they are, in chunks that a reader accepts', () => {
    fc.assert(
      fc.property(picture(anyColour), (expected) => {
        const file = palettePng(expected);
        assert.deepEqual(
          chunks(file).map(({ type }) => type),
          ['IHDR', 'PLTE', 'IDAT', 'IEND'],
        );
        for (const { body, crc } of chunks(file)) assert.equal(crc, crc32(body));
        assert.deepEqual(shown(file, expected.width), [...expected.pixels]);
        assert.deepEqual(readPng(file), expected);
      }),
    );
  });

  test('keeps the frequent ones of more colours, and gives the others their nearest', () => {
    const greys = Array.from({ length: 256 }, (_, level) => level * 0x01_01_01);
    const pixels = Uint32Array.from([...greys, ...greys, 0x80_81_80, 0xff_fe_ff]);
    const file = palettePng({ width: pixels.length, height: 1, pixels });
    assert.deepEqual(shown(file, pixels.length), [...greys, ...greys, 0x80_80_80, 0xff_ff_ff]);
  });

  test('keeps of many colours those that are far apart, however rare', () => {
    const background = Array.from({ length: 90 }, (_, at) => 0x1f_1f_1f + (at % 3));
    const pixels = Uint32Array.from([...background, 0xff_00_00, 0x00_ff_00]);
    const file = palettePng({ width: pixels.length, height: 1, pixels }, 3);
    const colours = shown(file, pixels.length);
    assert.deepEqual(colours.slice(90), [0xff_00_00, 0x00_ff_00]);
    assert.equal(new Set(colours).size, 3);
  });
});
