/** Loads our sources and tests anew for each run, one source changed; packages are loaded once. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root } from '../../paths.ts';
import { stripped } from '../syntax.ts';

const OURS = ['src', 'test', 'tools'].map((folder) => `${pathToFileURL(join(root, folder)).href}/`);
const NODE_TEST = new URL('nodeTest.ts', import.meta.url).href;
const RUN = /\?run=\d+/;

/** A source as it is to be for a run. */
export type ChangedSource = { readonly file: string; readonly javascript: string };

const sources = new Map<string, string>();
const changed = new Map<string, string>();
let runs = 0;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const run = RUN.exec(context.parentURL ?? '')?.[0];
    if (run === undefined) return nextResolve(specifier, context);
    if (specifier === 'node:test') return { url: NODE_TEST, format: 'module-typescript', shortCircuit: true };
    const resolved = nextResolve(specifier, context);
    return isOurs(resolved.url) ? { ...resolved, url: resolved.url + run } : resolved;
  },
  load(url, context, nextLoad) {
    if (!RUN.test(url) || !isOurs(url)) return nextLoad(url, context);
    return {
      format: 'module',
      source: changed.get(url) ?? sourceOf(fileURLToPath(url.replace(RUN, ''))),
      shortCircuit: true,
    };
  },
});

/** The address of a file of tests in a run of its own. */
export function addressForRun(path: string, change: ChangedSource | undefined): string {
  const run = `?run=${++runs}`;
  changed.clear();
  if (change !== undefined) changed.set(pathToFileURL(join(root, change.file)).href + run, change.javascript);
  return pathToFileURL(join(root, path)).href + run;
}

/** Whether an error comes from a run before the present one, so far as its stack tells. */
export function isOfEarlierRun(error: unknown): boolean {
  const run = error instanceof Error ? RUN.exec(error.stack ?? '')?.[0] : undefined;
  return run !== undefined && run !== `?run=${runs}`;
}

function isOurs(url: string): boolean {
  return OURS.some((folder) => url.startsWith(folder)) && url.replace(RUN, '').endsWith('.ts');
}

function sourceOf(path: string): string {
  const source = sources.get(path) ?? stripped(readFileSync(path, 'utf8'));
  sources.set(path, source);
  return source;
}
