import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { outFolder, root } from '../../tools/paths.ts';

const sources = fileURLToPath(new URL('.', import.meta.url));
const target = join(outFolder, 'test', 'host');

export function suiteNames(): string[] {
  return readdirSync(join(sources, 'suites'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => name.replace(/\.ts$/, ''));
}

export function suiteFile(name: string): string {
  return join(sources, 'suites', `${name}.ts`);
}

/**
 * Bundles the suites, one file each, plus shared code.
 *
 * @returns the file whose `run()` VS Code calls
 */
export async function bundleSuites(): Promise<string> {
  await rm(target, { recursive: true, force: true });
  const suites = suiteNames().map((name) => `suites/${name}`);
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(['index', ...suites].map((name) => [name, join(sources, `${name}.ts`)])),
    outdir: target,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    external: ['vscode', 'mocha'],
    mainFields: ['module', 'main'],
    // The build without files, as in the extension. The other one is CommonJS, whose `require` does not exist in an
    // ES module.
    alias: { '@vscode/l10n': './node_modules/@vscode/l10n/dist/browser.js' },
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return join(target, 'index.mjs');
}
