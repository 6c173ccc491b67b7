// Reads the PNG files of a browser, and writes smaller ones, because screenshots of a user interface have few
// colours.
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { coloursOf, nearest, paletteOf } from './palette.ts';

/** Pixels row by row, each a number 0xRRGGBB without transparency. */
export type Picture = { readonly width: number; readonly height: number; readonly pixels: Uint32Array };

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TRUE_COLOUR = 2;
const PALETTE = 3;
const TRUE_COLOUR_AND_ALPHA = 6;
const BYTES_PER_PIXEL: ReadonlyMap<number | undefined, number> = new Map([
  [TRUE_COLOUR, 3],
  [PALETTE, 1],
  [TRUE_COLOUR_AND_ALPHA, 4],
]);

/**
 * Reads a PNG file with 8 bits per channel, in colour or with a palette, not interlaced (PNG specification, third
 * edition).
 *
 * @throws if the file is of another kind
 */
export function readPng(file: Buffer): Picture {
  const chunks = chunksOf(file);
  const header = chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(13);
  const [width, height, depth, colourType, interlaced] = [
    header.readUInt32BE(0),
    header.readUInt32BE(4),
    header[8],
    header[9],
    header[12],
  ];
  const bytesPerPixel = BYTES_PER_PIXEL.get(colourType);
  if (depth !== 8 || interlaced !== 0 || bytesPerPixel === undefined) {
    throw new Error('This PNG file is not of the kind that a browser takes.');
  }
  const filtered = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)));
  const bytes = unfiltered(filtered, height, width * bytesPerPixel, bytesPerPixel);
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data ?? Buffer.alloc(0);
  const pixels = Uint32Array.from({ length: width * height }, (_, index) =>
    colourType === PALETTE
      ? palette.readUIntBE((bytes[index] ?? 0) * 3, 3)
      : bytes.readUIntBE(index * bytesPerPixel, 3),
  );
  return { width, height, pixels };
}

/**
 * Writes a PNG file with a palette. If there are more colours, it keeps those that change the picture least, and
 * replaces each other one by the nearest of them.
 */
export function palettePng({ width, height, pixels }: Picture, mostColours = 256): Buffer {
  const counts = coloursOf([pixels]);
  const palette = paletteOf(counts, mostColours);
  const indices = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));

  const lines = Buffer.alloc(height * (width + 1));
  // Each line begins with its filter: none, because a filter would spoil the repetitions of a palette's indices.
  pixels.forEach((colour, at) => (lines[at + Math.floor(at / width) + 1] = indices.get(colour) ?? 0));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, PALETTE, 0, 0, 0], 8);
  const colours = Buffer.alloc(palette.length * 3);
  palette.forEach((colour, index) => colours.writeUIntBE(colour, index * 3, 3));
  const data = deflateSync(lines, { level: 9, memLevel: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

type PngChunk = { readonly type: string; readonly data: Buffer };

function chunksOf(file: Buffer): PngChunk[] {
  const chunks: PngChunk[] = [];
  for (let at = SIGNATURE.length; at < file.length;) {
    const length = file.readUInt32BE(at);
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** Reverses each line's filter (section 9): a byte was written as its difference from its neighbours. */
function unfiltered(filtered: Buffer, height: number, lineBytes: number, bytesPerPixel: number): Buffer {
  const bytes = Buffer.alloc(height * lineBytes);
  for (let at = 0; at < bytes.length; at += 1) {
    const line = Math.floor(at / lineBytes);
    const hasLeft = at % lineBytes >= bytesPerPixel;
    const left = hasLeft ? (bytes[at - bytesPerPixel] ?? 0) : 0;
    const above = line > 0 ? (bytes[at - lineBytes] ?? 0) : 0;
    const aboveLeft = hasLeft && line > 0 ? (bytes[at - lineBytes - bytesPerPixel] ?? 0) : 0;
    const predicted = prediction(filtered[line * (lineBytes + 1)] ?? 0, left, above, aboveLeft);
    bytes[at] = ((filtered[at + line + 1] ?? 0) + predicted) & 0xff;
  }
  return bytes;
}

function prediction(filter: number, left: number, above: number, aboveLeft: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4:
      return paeth(left, above, aboveLeft);
    default:
      return 0;
  }
}

/** The neighbour closest to `left + above - aboveLeft`. */
function paeth(left: number, above: number, aboveLeft: number): number {
  const guess = left + above - aboveLeft;
  const toLeft = Math.abs(guess - left);
  const toAbove = Math.abs(guess - above);
  const toAboveLeft = Math.abs(guess - aboveLeft);
  if (toLeft <= toAbove && toLeft <= toAboveLeft) return left;
  return toAbove <= toAboveLeft ? above : aboveLeft;
}
