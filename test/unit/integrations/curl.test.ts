import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { dryRunAsCurl } from '../../../src/integrations/curl.ts';
import type { TruncationPlan } from '../../../src/truncation/plan.ts';

const PLAN: TruncationPlan = {
  entityType: 'dataset',
  aspect: 'operation',
  endTimeMillis: 1_700_000_000_000,
  batchSize: 10_000,
  timeoutSeconds: undefined,
  strategy: 'server',
};
const BASE = 'https://datahub.example.com';
const PATH = '/api/gms/operations';
const TOKEN = 'a $(token) of `whoever` "runs" it';

/** What the shell hands to `curl` for each of the lines: its arguments, as they arrive. */
function received(lines: readonly string[]): string[][] {
  // In place of curl, a function that writes down its arguments, each ended by a byte that no argument can hold.
  const script = [String.raw`curl() { printf '%s\0' "$@" END; }`, ...lines].join('\n');
  const written = execFileSync('/bin/sh', ['-c', script], { env: { ACCESS_TOKEN: TOKEN }, encoding: 'utf8' });
  return written
    .split('END\0')
    .slice(0, -1)
    .map((one) => one.split('\0').slice(0, -1));
}

function argumentsFor(url: string, body: object): string[] {
  return [
    '--request',
    'POST',
    url,
    '--header',
    `Authorization: Bearer ${TOKEN}`,
    '--header',
    'Content-Type: application/json',
    '--data',
    JSON.stringify(body),
  ];
}

suite('A dry run as a command line', { skip: process.platform === 'win32' && 'written for a POSIX shell' }, () => {
  test('reads well', () => {
    assert.equal(
      dryRunAsCurl(BASE, PATH, PLAN),
      [
        "curl --request POST 'https://datahub.example.com/api/gms/operations?action=truncateTimeseriesAspect' \\",
        '  --header "Authorization: Bearer $ACCESS_TOKEN" \\',
        "  --header 'Content-Type: application/json' \\",
        `  --data '{"entityType":"dataset","aspect":"operation","endTimeMillis":1700000000000,"dryRun":true,"batchSize":10000}'`,
      ].join('\n'),
    );
  });

  test('says everything that the plan says, and that it is a dry run', () => {
    const bodies = [
      { ...PLAN, timeoutSeconds: 60 },
      { ...PLAN, strategy: 'deleteByQuery' as const },
      { ...PLAN, strategy: 'reindex' as const },
    ].map((plan) => {
      const [command = []] = received([dryRunAsCurl(BASE, PATH, plan)]);
      return JSON.parse(command.at(-1) ?? '') as unknown;
    });
    const body = { entityType: 'dataset', aspect: 'operation', endTimeMillis: 1_700_000_000_000, dryRun: true, batchSize: 10_000 };
    assert.deepEqual(bodies, [
      { ...body, timeoutSeconds: 60 },
      { ...body, forceDeleteByQuery: true },
      { ...body, forceReindex: true },
    ]);
  });

  test('reaches curl as it was meant, whatever the names and the address are', () => {
    const dangerous = fc.array(
      fc.constantFrom(
        "'",
        '"',
        '\\',
        '$(exit 7)',
        '`id`',
        '$ACCESS_TOKEN',
        '!',
        ';',
        '\n',
        ' ',
        '&',
        '|',
        '*',
        '~',
        "'\\''",
        'é',
        '👩‍🚀',
        '%s',
      ),
      { maxLength: 6 },
    );
    const text = fc
      .oneof(
        fc.string({ unit: 'binary-ascii', maxLength: 8 }),
        dangerous.map((parts) => parts.join('')),
      )
      .map((any) => any.replaceAll('\0', ''));
    const cases = fc.array(fc.record({ base: text, entityType: text, aspect: text }), { minLength: 1, maxLength: 40, size: 'max' });
    fc.assert(
      fc.property(cases, (all) => {
        const commands = all.map(({ base, ...names }) => dryRunAsCurl(BASE + base, PATH, { ...PLAN, ...names }));
        const meant = all.map(({ base, entityType, aspect }) =>
          argumentsFor(`${BASE}${base}${PATH}?action=truncateTimeseriesAspect`, {
            entityType,
            aspect,
            endTimeMillis: PLAN.endTimeMillis,
            dryRun: true,
            batchSize: 10_000,
          }),
        );
        assert.deepEqual(received(commands), meant);
      }),
      { numRuns: 15 },
    );
  });

  test('holds no token: that one is read from the environment of whoever runs it', () => {
    assert.match(dryRunAsCurl(BASE, PATH, PLAN), /"Authorization: Bearer \$ACCESS_TOKEN" \\$/m);
    assert.equal(dryRunAsCurl.length, 3, 'no token is handed in');
  });
});
