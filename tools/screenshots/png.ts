// Reads the PNG files of a browser, and writes smaller ones, because screenshots of a user interface have few
// colours: pngjs writes no palettes.
import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { coloursOf, nearest, paletteOf } from './palette.ts';

/** Pixels row by row, each a number 0xRRGGBB without transparency. */
export type Picture = { readonly width: number; readonly height: number; readonly pixels: Uint32Array };

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PALETTE = 3;

/** @throws if the file is no PNG */
export function readPng(file: Buffer): Picture {
  const { width, height, data } = PNG.sync.read(file);
  const pixels = Uint32Array.from({ length: width * height }, (_, index) => data.readUIntBE(index * 4, 3));
  return { width, height, pixels };
}

/**
 * Writes a PNG file with a palette (PNG specification, third edition). If there are more colours, it keeps those that
 * change the picture least, and replaces each other one by the nearest of them.
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

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
