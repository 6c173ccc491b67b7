/**
 * Gives each window its own copy of the extension's modules, as each extension host has one: `?window=<id>` in their
 * addresses. Copies get stand-ins for VS Code, for files and for the globals of time and network.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';

const SOURCE = new URL('../../../src/', import.meta.url).href;
const STAND_INS: Readonly<Record<string, string>> = {
  vscode: new URL('vscode.ts', import.meta.url).href,
  'node:fs/promises': new URL('files.ts', import.meta.url).href,
  'node:os': new URL('home.ts', import.meta.url).href,
};
const GLOBALS = new URL('globals.ts', import.meta.url).href;
const NAMES = 'globalThis, Date, performance, fetch, setTimeout, clearTimeout, AbortSignal, crypto';

const stripped = new Map<string, string>();
let loaded = 0;

/** Number of modules that were loaded for any window. Grows while a window loads more of the extension. */
export function loadedModules(): number {
  return loaded;
}

/** Address of the extension's entry point for a window. */
export function entryPoint(window: number): string {
  return `${SOURCE}extension.ts?window=${window}`;
}

/** @param url Address of a module, with its window. */
export function windowOf(url: string): number | undefined {
  const id = new URL(url).searchParams.get('window');
  return id === null ? undefined : Number(id);
}

registerHooks({
  resolve: (specifier, context, next) => {
    const parent = context.parentURL ?? '';
    const window = parent.startsWith(SOURCE) ? windowOf(parent) : undefined;
    if (window === undefined) {
      return next(specifier, context);
    }
    const standIn = STAND_INS[specifier];
    if (standIn !== undefined) {
      return { url: `${standIn}?window=${window}`, shortCircuit: true };
    }
    const resolved = next(specifier, context);
    return resolved.url.startsWith(SOURCE) ? { ...resolved, url: `${resolved.url}?window=${window}` } : resolved;
  },
  load: (url, context, next) => {
    const window = url.startsWith(SOURCE) ? windowOf(url) : undefined;
    if (window === undefined) {
      return next(url, context);
    }
    loaded++;
    const globals = `import { ${NAMES} } from '${GLOBALS}?window=${window}'; `;
    return { format: 'module', source: globals + withoutTypes(new URL(url)), shortCircuit: true };
  },
});

function withoutTypes(url: URL): string {
  const text = stripped.get(url.pathname) ?? stripTypeScriptTypes(readFileSync(url.pathname, 'utf8'));
  stripped.set(url.pathname, text);
  return text;
}
