/**
 * The extension as it is packaged, but for its pages and in one file. Each window evaluates the file for itself, so
 * each has its own copy of all modules, as each extension host has one.
 */
import { buildSync } from 'esbuild';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import type * as vscode from 'vscode';
import { EXTENSION_OPTIONS } from '../../../tools/package/bundles.ts';
import { root } from '../../../tools/paths.ts';
import { GLOBALS, type Globals } from './globals.ts';

interface ExtensionModule {
  activate(context: vscode.ExtensionContext): unknown;
}

const { outputFiles } = buildSync({
  ...EXTENSION_OPTIONS,
  format: 'cjs',
  splitting: false,
  external: ['vscode'],
  absWorkingDir: root,
  metafile: false,
  write: false,
});
const text = `(function (module, require, ${GLOBALS.join(', ')}) {${outputFiles[0]?.text}\n})`;
const evaluate = new Script(text, { filename: 'extension.js' }).runInThisContext() as (...given: unknown[]) => void;
const builtIn = createRequire(import.meta.url);

/**
 * Makes a copy of the extension.
 * @param standIns Modules that it gets instead of the real ones.
 * @param globals Those that it sees.
 */
export function loadExtension(standIns: Readonly<Record<string, unknown>>, globals: Globals): ExtensionModule {
  const module = { exports: {} };
  const load = (name: string): unknown => standIns[name] ?? builtIn(name);
  evaluate(module, load, ...GLOBALS.map((name) => globals[name]));
  return module.exports as ExtensionModule;
}
