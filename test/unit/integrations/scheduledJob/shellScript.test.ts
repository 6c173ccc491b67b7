import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { MOST_PERCENT, type JobIndex } from '../../../../src/integrations/scheduledJob/jobLimits.ts';
import { shellScript } from '../../../../src/integrations/scheduledJob/shellScript.ts';
import { checkBaseUrl } from '../../../../src/service/http/baseUrl.ts';
import { OPERATION_PATHS } from '../../../../src/service/server/facts.ts';
import { root } from '../../../../tools/paths.ts';
import { percentDecoded } from '../percentDecoded.ts';

type ScheduledJob = Parameters<typeof shellScript>[1];

const TEMPLATE = readFileSync(join(root, 'media', 'truncate.sh'), 'utf8');

const INDEX: JobIndex = {
  entityType: 'dataset',
  aspect: 'operation',
  days: 90,
  mostRows: 62_348,
  rowsToKeep: 114_032,
  batchSize: 10_000,
};

const NAME = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,40}$/);
const COUNT = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const ANY_INDEX: fc.Arbitrary<JobIndex> = fc.record({
  entityType: NAME,
  aspect: NAME,
  days: fc.integer({ min: 1, max: 9_999 }),
  mostRows: COUNT,
  rowsToKeep: COUNT,
  batchSize: fc.integer({ min: 1, max: 10_000 }),
});

/** As `checkBaseUrl` accepts it: URL keeps most of these in a path. */
const ADDRESS = fc
  .tuple(
    fc.constantFrom('https://datahub.example.com', 'http://127.0.0.1:8080', 'https://[2001:db8::1]:8443'),
    fc.array(
      fc.oneof(NAME, fc.constantFrom("'", '"', '$(id)', '`id`', '$HOME', '!', ';', '&', '|', '*', '{}', '/', '%')),
      {
        maxLength: 6,
      },
    ),
  )
  .map(([origin, parts]) => checkBaseUrl(`${origin}/${parts.join('')}`))
  .filter((checked) => 'baseUrl' in checked)
  .map(({ baseUrl }) => baseUrl);

const ANY_JOB: fc.Arbitrary<ScheduledJob> = fc.record({
  baseUrl: ADDRESS,
  operationsPath: fc.constantFrom(...OPERATION_PATHS),
  indices: fc.array(ANY_INDEX, { minLength: 1, maxLength: 5 }),
});

const JOB: ScheduledJob = {
  baseUrl: 'https://datahub.example.com',
  operationsPath: '/api/gms/operations',
  indices: [INDEX],
};

/** Settings as a shell reads them, in a home folder of `/home/x`. */
function settingsIn(script: string): {
  readonly url: string;
  readonly indices: readonly string[];
  readonly state: string;
  readonly batchSize: string;
} {
  const assignments = script.slice(script.indexOf('\nGMS_URL='), script.indexOf('\nset -u'));
  const program = `set -u\n${assignments}\nprintf '%s\\0' "$GMS_URL" "$INDICES" "$STATE_DIR" "$BATCH_SIZE"`;
  const written = execFileSync('/bin/sh', ['-c', program], { env: { HOME: '/home/x' }, encoding: 'utf8' });
  const [url = '', indices = '', state = '', batchSize = ''] = written.split('\0');
  return { url, indices: indices.split('\n').filter((line) => line !== ''), state, batchSize };
}

function withoutSettings(script: string): string {
  return script
    .replace(/^GMS_URL=.*$/m, '')
    .replace(/^INDICES='\n[^']*'$/m, '')
    .replace(/^STATE_DIR=.*$/m, '')
    .replace(/^BATCH_SIZE=\d+/m, '');
}

suite('The script of a scheduled job', () => {
  test('is the template otherwise, for any job', () =>
    fc.assert(
      fc.property(ANY_JOB, (job) =>
        assert.equal(withoutSettings(shellScript(TEMPLATE, job)), withoutSettings(TEMPLATE)),
      ),
    ));

  test('reads back as what was put in, with nothing that a shell interprets, for any job', () =>
    fc.assert(
      fc.property(ANY_JOB, (job) => {
        const { url, indices, state, batchSize } = settingsIn(shellScript(TEMPLATE, job));
        assert.match(url, /^https?:\/\/[\w.:[\]-]+(?:\/[\w.~:/%-]*)?$/);
        const asked = new URL(`${url}/operations`);
        assert.equal(asked.origin, new URL(job.baseUrl).origin);
        const path = job.baseUrl.slice(asked.origin.length) + job.operationsPath;
        assert.equal(percentDecoded(asked.pathname), percentDecoded(path));
        assert.match(state, /^\/home\/x\/\.truncate-[\w.-]+$/);
        assert.equal(batchSize, `${Math.min(...job.indices.map((index) => index.batchSize))}`);
        assert.deepEqual(
          indices,
          job.indices.map(({ entityType, aspect, days, mostRows, rowsToKeep }) =>
            [entityType, aspect, days, mostRows, rowsToKeep].join(' '),
          ),
        );
      }),
      { numRuns: 40 },
    ));

  test('is accepted by a shell, and by its own check of the settings', () =>
    fc.assert(
      fc.property(ANY_JOB, (job) => {
        const names = job.indices.map(({ entityType, aspect }) => `${entityType}/${aspect}`.toLowerCase());
        fc.pre(new Set(names).size === names.length && !names.some((name) => name.includes('checkpoint')));
        const script = shellScript(TEMPLATE, job);
        execFileSync('/bin/sh', ['-n'], { input: script });
        const { status, stderr } = spawnSync('/bin/sh', ['-s'], { input: script, env: {}, encoding: 'utf8' });
        // Without a token it ends, once the settings are checked.
        assert.deepEqual([status, stderr], [1, "The access token is missing or isn't one. See --help.\n"]);
      }),
      { numRuns: 20 },
    ));

  test('leaves an index alone above the share that the message names', () =>
    assert.match(TEMPLATE, new RegExp(`^MAX_PERCENT=${MOST_PERCENT}\\b`, 'm')));

  test('is not made of a template without a setting, nor with a quote in one', () => {
    for (const setting of ['GMS_URL', 'INDICES', 'STATE_DIR', 'BATCH_SIZE']) {
      assert.throws(() => shellScript(TEMPLATE.replaceAll(setting, 'OTHER'), JOB), /lacks a setting/);
    }
    const indices = [{ ...INDEX, aspect: "x'; id; '" }];
    assert.throws(() => shellScript(TEMPLATE, { ...JOB, indices }), /end its quotes/);
  });

  test('keeps the state of each server apart, in a folder that any file system takes', () => {
    const servers = [
      'https://h:8443',
      'https://h/8443',
      'https://h/a/b',
      'https://h/a_b',
      `https://h/${'x'.repeat(1_900)}`,
    ];
    const states = servers.map((baseUrl) => settingsIn(shellScript(TEMPLATE, { ...JOB, baseUrl })).state);
    assert.equal(new Set(states).size, servers.length);
    assert.equal(states[0], '/home/x/.truncate-h_3a8443');
    for (const state of states) assert.ok(state.length < 255, state);
  });
});
