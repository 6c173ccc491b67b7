/** The files of src/, what is in them and what they import, as the bundler sees it. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, transform } from 'esbuild';
import { root } from '../../tools/paths.ts';

export interface Source {
  /** Below src/, with slashes: `tokens/expiry.ts`. */
  readonly path: string;
  readonly text: string;
  /** The text without comments, types and white space that means nothing. */
  readonly code: string;
  readonly imports: readonly Import[];
}

export interface Import {
  /** Below src/ where the file is one of ours, else the name of the module. */
  readonly path: string;
  readonly isOurs: boolean;
  /** `type`: gone when it runs. `lazy`: by `import()`. */
  readonly kind: 'value' | 'type' | 'lazy';
}

/** Reads all of them anew. */
export async function readSources(): Promise<readonly Source[]> {
  const paths = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .toSorted();
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: paths.map((path) => `src/${path}`),
    bundle: true,
    write: false,
    outdir: 'out',
    format: 'esm',
    packages: 'external',
    external: ['vscode'],
    loader: { '.css': 'text' },
    metafile: true,
    logLevel: 'error',
  });
  return Promise.all(
    paths.map(async (path) => {
      const text = readFileSync(join(root, 'src', path), 'utf8');
      const { code } = await transform(text, {
        loader: 'ts',
        minifyWhitespace: true,
        legalComments: 'none',
        charset: 'utf8',
      });
      const values = (metafile.inputs[`src/${path}`]?.imports ?? []).map((one) => ({
        path: one.path.replace(/^src\//, ''),
        isOurs: one.external !== true,
        kind: one.kind === 'dynamic-import' ? ('lazy' as const) : ('value' as const),
      }));
      return { path, text, code, imports: [...values, ...typeImports(path, text)] };
    }),
  );
}

function typeImports(path: string, text: string): Import[] {
  const found = text.matchAll(/^(?:import|export) type [^;]*? from '([^']+)';/gm);
  return Array.from(found, ([, name = '']) => {
    const isOurs = name.startsWith('.');
    return { path: isOurs ? join(dirname(path), name).replaceAll('\\', '/') : name, isOurs, kind: 'type' };
  });
}
