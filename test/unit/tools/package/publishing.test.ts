/**
 * The tools that publish a release run with the right to publish, so their dependencies must not change by
 * themselves.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { root } from '../../../../tools/paths.ts';

const read = (path: string): string => readFileSync(join(root, '.github', path), 'utf8');

suite('The tools that publish a release', () => {
  test('are locked, each with its digest, and come from the registry that npm is configured with', () => {
    const { dependencies } = JSON.parse(read('publishing/package.json')) as { dependencies: Record<string, string> };
    assert.deepEqual(Object.keys(dependencies), ['@vscode/vsce', 'ovsx']);
    const { packages } = JSON.parse(read('publishing/package-lock.json')) as {
      packages: Record<string, { version?: string; integrity?: string; resolved?: string; link?: boolean }>;
    };
    for (const [name, version] of Object.entries(dependencies)) {
      assert.equal(packages[`node_modules/${name}`]?.version, version, `${name} has a range`);
    }
    for (const [path, { integrity, resolved, link }] of Object.entries(packages).filter(([name]) => name !== '')) {
      assert.match(integrity ?? '', /^sha512-/, path);
      assert.deepEqual([resolved, link], [undefined, undefined], path);
    }
  });

  test('are only installed from there, without scripts', () => {
    const [, publish = ''] = read('workflows/release.yml').split('\n  publish:\n');
    assert.match(publish, /id-token: write/);
    assert.match(publish, /\n {6}- run: npm ci --ignore-scripts\n {8}working-directory: \.github\/publishing\n/);
    for (const name of readdirSync(join(root, '.github/workflows'))) {
      assert.doesNotMatch(read(`workflows/${name}`), /\bnpx\b|\bnpm (?:i|install|exec)\b/, name);
    }
  });

  test('run in jobs without code of this repository, as do attestation and release', () => {
    const [, jobs = ''] = read('workflows/release.yml').split('\njobs:\n');
    const trusted = jobs.split(/\n(?=  \w+:\n)/).filter((job) => /: write$/m.test(job));
    assert.deepEqual(
      trusted.map((job) => /\w+/.exec(job.replaceAll(/^ *#.*\n/gm, ''))?.[0]),
      ['release', 'publish'],
    );
    for (const job of trusted) assert.doesNotMatch(job, /\bnpm run\b|\bnpm test\b|\.ci\/run|\bnode [^m]|\btools\//);
  });

  test('and all other actions stand by commit, with their version beside it', () => {
    const uses = readdirSync(join(root, '.github/workflows')).flatMap((name) =>
      Array.from(read(`workflows/${name}`).matchAll(/\buses: (.*)$/gm), ([, action = '']) => action),
    );
    assert.ok(uses.length > 15, `found ${uses.length}`);
    for (const action of uses) assert.match(action, /^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });
});
