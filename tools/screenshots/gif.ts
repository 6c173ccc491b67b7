// Writes a moving picture as a GIF, because GitHub, VS Code and the marketplaces all show one, and GitHub lets people
// stop it.
import { GifWriter } from 'omggif';
import { coloursOf, nearest, paletteOf } from './palette.ts';
import type { Picture } from './png.ts';

/** A picture and how long it's shown, in ms. */
export type Frame = { readonly picture: Picture; readonly millis: number };

/** Number of colours of all frames together, a power of 2. More make a larger file, and no visible difference. */
const COLOURS = 64;
/** Stands for a pixel that stays as it is. The other numbers are colours. */
const UNCHANGED = COLOURS - 1;
/** The frame before stays visible below the next one. */
const KEEP = 1;
const FOREVER = 0;
/** Unit of the format's times, in ms. */
const CENTISECOND = 10;

type Area = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };

/** Encodes frames of one size, which are shown again and again. After the first, only what changed is stored. */
export function animatedGif(frames: readonly Frame[]): Buffer {
  const [first, ...rest] = merged(frames);
  if (first === undefined) throw new Error('A moving picture needs a frame.');
  const { width, height } = first.picture;
  const counts = coloursOf(frames.map(({ picture }) => picture.pixels));
  const palette = paletteOf(counts, UNCHANGED);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const indexed = ({ pixels }: Picture): number[] => Array.from(pixels, (colour) => places.get(colour) ?? 0);

  const bytes: number[] = [];
  const table = Array.from({ length: COLOURS }, (_, at) => palette[at] ?? 0);
  const writer = new GifWriter(bytes, width, height, { palette: table, loop: FOREVER });
  let shown = indexed(first.picture);
  writer.addFrame(0, 0, width, height, shown, { delay: first.millis / CENTISECOND });
  for (const { picture, millis } of rest) {
    const next = indexed(picture);
    const area = changedArea(shown, next, width);
    writer.addFrame(area.left, area.top, area.width, area.height, changesIn(area, shown, next, width), {
      delay: millis / CENTISECOND,
      disposal: KEEP,
      transparent: UNCHANGED,
    });
    shown = next;
  }
  return Buffer.from(bytes.slice(0, writer.end()));
}

/** Joins equal frames that follow each other. */
function merged(frames: readonly Frame[]): Frame[] {
  const result: Frame[] = [];
  for (const { picture, millis } of frames) {
    const last = result.at(-1);
    if (last !== undefined && Buffer.from(last.picture.pixels.buffer).equals(Buffer.from(picture.pixels.buffer)))
      result[result.length - 1] = { picture, millis: last.millis + millis };
    else result.push({ picture, millis });
  }
  return result;
}

/** The smallest area with all changes. One pixel if nothing changed, since the format has no empty one. */
function changedArea(before: readonly number[], after: readonly number[], width: number): Area {
  let [left, right, top, bottom] = [width, 0, Infinity, 0];
  for (const [at, colour] of after.entries()) {
    if (colour === before[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
  }
  if (top === Infinity) return { left: 0, top: 0, width: 1, height: 1 };
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

function changesIn(area: Area, before: readonly number[], after: readonly number[], width: number): number[] {
  return Array.from({ length: area.width * area.height }, (_, index) => {
    const at = (area.top + Math.floor(index / area.width)) * width + area.left + (index % area.width);
    const colour = after[at] ?? 0;
    return colour === before[at] ? UNCHANGED : colour;
  });
}
