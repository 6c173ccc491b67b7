import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { env } from 'node:process';
import pixelmatch from 'pixelmatch';
import { browserProgram } from '../../host/vscode/browserProgram.ts';
import { outFolder, root } from '../../../tools/paths.ts';
import { palettePng, readPng, type Picture } from '../../../tools/screenshots/png.ts';

/** The pictures to compare with, and those that were taken last. */
const APPROVED = join(root, 'test', 'e2e', 'approved');
const TAKEN = join(outFolder, 'e2e');

/** How different a pixel's colour may be, from 0 to 1: processors round differently. */
const COLOUR_TOLERANCE = 0.1;
/** Fewer pixels than any line or letter has. */
export const MOST_DIFFERING = 20;

/** Why no picture can be compared in the browser that the tests use; undefined where they can be. */
export async function whyIncomparable(): Promise<string | undefined> {
  const { executablePath, ownFonts } = await browserProgram();
  return ownFonts === undefined
    ? `the approved pictures were taken in the headless Chromium that the tests install, and this is ${executablePath}`
    : undefined;
}

/**
 * Compares a screenshot with the approved picture of this name. Where `npm run pictures:approve` runs, one that differs becomes the
 * approved one.
 *
 * @returns what differs, with the files to look at; undefined where nothing does
 */
export async function differenceFromApproved(name: string, screenshot: Buffer): Promise<string | undefined> {
  const file = join(APPROVED, `${name}.png`);
  const now = readPng(screenshot);
  if (existsSync(file) && looksLike(readPng(await readFile(file)), now)) return undefined;
  const palette = palettePng(now);
  const difference = await differenceFrom(file, name, palette);
  if (difference === undefined || env['APPROVE_PICTURES'] !== 'true') return difference;
  await mkdir(APPROVED, { recursive: true });
  await writeFile(file, palette);
  return undefined;
}

/** True if a screenshot shows the approved picture even in all its colours. Reducing them takes far longer than comparing. */
function looksLike(approved: Picture, now: Picture): boolean {
  const isOfSameSize = approved.width === now.width && approved.height === now.height;
  return isOfSameSize && compare(approved, now).differing <= MOST_DIFFERING;
}

async function differenceFrom(file: string, name: string, palette: Buffer): Promise<string | undefined> {
  const taken = join(TAKEN, `${name}.taken.png`);
  await mkdir(TAKEN, { recursive: true });
  await writeFile(taken, palette);
  if (!existsSync(file)) return `${name}: there is no approved picture; see ${relative(root, taken)}`;
  const approved = await readFile(file);
  if (approved.equals(palette)) return undefined;
  const [before, now] = [readPng(approved), readPng(palette)];
  if (before.width !== now.width || before.height !== now.height) {
    return `${name}: ${now.width} × ${now.height} px instead of ${before.width} × ${before.height}; see ${relative(root, taken)}`;
  }
  const { differing, shown } = compare(before, now);
  if (differing <= MOST_DIFFERING) return undefined;
  const difference = join(TAKEN, `${name}.difference.png`);
  await writeFile(difference, palettePng(shown));
  return `${name}: ${differing} pixels differ; see ${relative(root, taken)} and ${relative(root, difference)}`;
}

/** How many pixels of two pictures of one size differ so that one sees it, and a picture that shows where. */
export function compare(before: Picture, now: Picture): { readonly differing: number; readonly shown: Picture } {
  const { width, height } = now;
  const bytes = new Uint8Array(width * height * 4);
  const differing = pixelmatch(rgba(before), rgba(now), bytes, width, height, { threshold: COLOUR_TOLERANCE });
  const buffer = Buffer.from(bytes.buffer);
  const pixels = Uint32Array.from({ length: width * height }, (_, index) => buffer.readUIntBE(index * 4, 3));
  return { differing, shown: { width, height, pixels } };
}

function rgba({ pixels }: Picture): Uint8Array {
  const bytes = Buffer.alloc(pixels.length * 4, 0xff);
  pixels.forEach((colour, index) => bytes.writeUIntBE(colour, index * 4, 3));
  return bytes;
}
