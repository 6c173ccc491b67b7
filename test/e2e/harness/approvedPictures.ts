import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { env } from 'node:process';
import pixelmatch from 'pixelmatch';
import { browserProgram } from '../../host/vscode/browserProgram.ts';
import { outFolder, root } from '../../../tools/paths.ts';
import { palettePng, readPng, type Picture } from '../../../tools/screenshots/png.ts';

/** Folders of the approved and of the last pictures. */
const APPROVED = join(root, 'test', 'e2e', 'approved');
const TAKEN = join(outFolder, 'e2e');

/** Allowed difference of a pixel's colour, from 0 to 1, because processors round differently. */
const COLOUR_TOLERANCE = 0.1;
/** Allowed difference in pixels, below any line or letter. */
const MOST_DIFFERING = 20;

/** How two pictures differ, and one that marks where. */
type Difference = { readonly what: string; readonly marked?: Picture };

/** Reason why pictures cannot be compared in this browser; undefined if they can. */
export async function whyIncomparable(): Promise<string | undefined> {
  const { executablePath, ownFonts } = await browserProgram();
  return ownFonts === undefined
    ? `the approved pictures were taken in the headless Chromium that the tests install, and this is ${executablePath}`
    : undefined;
}

/**
 * Compares a screenshot with the approved picture of this name. During `npm run pictures:approve`, a different one
 * becomes the approved one.
 *
 * @returns the difference and the files to look at; undefined if there is none
 */
export async function differenceFromApproved(name: string, screenshot: Buffer): Promise<string | undefined> {
  const file = join(APPROVED, `${name}.png`);
  const approved = existsSync(file) ? readPng(await readFile(file)) : undefined;
  const now = readPng(screenshot);
  // In all its colours first, because reducing them takes long.
  if (approved !== undefined && differenceOf(approved, now) === undefined) return undefined;
  const palette = palettePng(now);
  const difference: Difference | undefined = approved
    ? differenceOf(approved, readPng(palette))
    : { what: 'there is no approved picture' };
  if (difference === undefined) return undefined;
  if (env['APPROVE_PICTURES'] === 'true') {
    await mkdir(APPROVED, { recursive: true });
    await writeFile(file, palette);
    return undefined;
  }
  await mkdir(TAKEN, { recursive: true });
  const taken = join(TAKEN, `${name}.taken.png`);
  await writeFile(taken, palette);
  if (difference.marked) await writeFile(join(TAKEN, `${name}.difference.png`), palettePng(difference.marked));
  return `${name}: ${difference.what}; see ${relative(root, taken)}`;
}

/** @returns undefined if the difference is too small to be seen */
function differenceOf(before: Picture, now: Picture): Difference | undefined {
  if (before.width !== now.width || before.height !== now.height) {
    return { what: `${now.width} × ${now.height} px instead of ${before.width} × ${before.height}` };
  }
  const { differing, shown } = compare(before, now);
  return differing <= MOST_DIFFERING ? undefined : { what: `${differing} pixels differ`, marked: shown };
}

/** Number of visibly different pixels of two pictures with the same size, and a picture that marks them. */
function compare(before: Picture, now: Picture): { readonly differing: number; readonly shown: Picture } {
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
