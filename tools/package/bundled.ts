import type { Metafile } from 'esbuild';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../json.ts';

/** A package from the registry with code in the bundles. */
export type BundledPackage = {
  readonly name: string;
  readonly version: string;
  /** SPDX license expression of its package.json. */
  readonly license: string;
  readonly author: string;
  readonly homepage: string;
  /** Its license files, one text each. */
  readonly texts: readonly string[];
};

/** The folder of a package in the path of one of its files, nested packages included. */
const FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const NAME = /^(?:@[\w.~-]+\/)?[\w.~-]+$/;
const VERSION = /^\d+\.\d+\.\d+[\w.+-]*$/;
const LICENSE = /^[\w.+() -]+$/;
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-][\w.-]+)?$/i;

/**
 * The packages with at least one byte in an output, by name.
 *
 * @param folder that the metafile's paths are relative to
 * @throws a sentence if a package.json has no usable name, version or license
 */
export async function bundledPackages(
  folder: string,
  { outputs }: Pick<Metafile, 'outputs'>,
): Promise<BundledPackage[]> {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const paths = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? (FOLDER.exec(path) ?? []) : []));
  const packages = await Promise.all([...new Set(paths)].map((path) => readPackage(join(folder, path), path)));
  return packages.toSorted((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

async function readPackage(folder: string, path: string): Promise<BundledPackage> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  if (!isRecord(manifest)) throw new Error(`${path}/package.json is no object.`);
  const files = (await readdir(folder)).filter((name) => LICENSE_FILE.test(name)).toSorted();
  const texts = await Promise.all(files.map(async (file) => plainText(await readFile(join(folder, file), 'utf8'))));
  return {
    name: required(path, 'name', manifest['name'], NAME),
    version: required(path, 'version', manifest['version'], VERSION),
    license: required(path, 'license', manifest['license'], LICENSE),
    author: lineOf(manifest['author'], 'name'),
    homepage: /https:\S+/.exec(lineOf(manifest['homepage'] ?? manifest['repository'], 'url'))?.[0] ?? '',
    texts: texts.filter((text) => text !== ''),
  };
}

/** Other text could forge a line of the notices, or an SPDX identifier. */
function required(path: string, field: string, value: unknown, form: RegExp): string {
  if (typeof value === 'string' && form.test(value)) return value;
  throw new Error(`${path}/package.json has the ${field} ${JSON.stringify(value)}, which can't be in a package.`);
}

function lineOf(value: unknown, key: string): string {
  const text = isRecord(value) ? value[key] : value;
  return typeof text === 'string' ? plainText(text).replaceAll(/\s+/g, ' ') : '';
}

/** Text without control, bidirectional and invisible characters, which could hide or disguise a part of it. */
function plainText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{C}\n\t]/gu, '')
    .trim();
}
