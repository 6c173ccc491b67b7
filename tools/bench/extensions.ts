import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { outFolder, root } from '../paths.ts';

const run = promisify(execFile);
const sources = fileURLToPath(new URL('extensions', import.meta.url));
const target = join(outFolder, 'bench');

const PUBLISHER = 'metadata-service-bench';

/** The part of each manifest that differs. */
const MANIFESTS = {
  empty: {},
  probe: { activationEvents: ['onStartupFinished'] },
  plain: {
    contributes: {
      viewsContainers: { activitybar: [{ id: 'benchPlain', title: 'Plain', icon: '$(beaker)' }] },
      views: { benchPlain: [{ id: 'benchPlain.tree', name: 'Plain' }] },
      commands: [{ command: 'benchPlain.openPanel', title: 'Open Panel', icon: '$(clear-all)' }],
      menus: {
        'view/item/context': [
          { command: 'benchPlain.openPanel', when: 'view == benchPlain.tree && viewItem == index', group: 'inline@1' },
        ],
      },
    },
  },
} as const;

export type BenchExtension = keyof typeof MANIFESTS;

export function benchExtensionId(name: BenchExtension): string {
  return `${PUBLISHER}.bench-${name}`;
}

/** Builds the extensions to compare with and the one that measures. Returns their packages. */
export async function buildBenchExtensions(): Promise<string[]> {
  await rm(target, { recursive: true, force: true });
  return Promise.all((Object.keys(MANIFESTS) as BenchExtension[]).map(packExtension));
}

async function packExtension(name: BenchExtension): Promise<string> {
  const folder = join(target, name);
  const packed = join(target, `${name}.vsix`);
  await mkdir(folder, { recursive: true });
  const manifest = {
    name: `bench-${name}`,
    publisher: PUBLISHER,
    version: '1.0.0',
    engines: { vscode: '^1.105.0' },
    extensionKind: ['workspace'],
    capabilities: { untrustedWorkspaces: { supported: true } },
    main: './extension.js',
    activationEvents: [] as readonly string[],
    ...MANIFESTS[name],
  };
  await Promise.all([
    writeFile(join(folder, 'package.json'), JSON.stringify(manifest)),
    writeFile(join(folder, 'README.md'), 'Part of a bench.\n'),
    build({
      entryPoints: { extension: join(sources, `${name}.ts`) },
      outdir: folder,
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'cjs',
      target: 'node22',
      external: ['vscode'],
      logLevel: 'warning',
    }),
  ]);
  const packing = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', packed];
  await run(process.execPath, [join(root, 'node_modules/@vscode/vsce/vsce'), 'package', ...packing], { cwd: folder });
  return packed;
}
