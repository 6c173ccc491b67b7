/** Jobs with any valid names and limits, for the suites about scheduled jobs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import type { JobIndex } from '../../../../src/integrations/scheduledJob/jobIndices.ts';
import type { shellScript } from '../../../../src/integrations/scheduledJob/shellScript.ts';
import { checkBaseUrl } from '../../../../src/service/http/baseUrl.ts';
import { OPERATION_PATHS } from '../../../../src/service/server/facts.ts';
import { root } from '../../../../tools/paths.ts';

export const TEMPLATE = readFileSync(join(root, 'media', 'truncate.sh'), 'utf8');

export const INDEX: JobIndex = {
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

export type ScheduledJob = Parameters<typeof shellScript>[1];

export const ANY_JOB: fc.Arbitrary<ScheduledJob> = fc.record({
  baseUrl: ADDRESS,
  operationsPath: fc.constantFrom(...OPERATION_PATHS),
  indices: fc.array(ANY_INDEX, { minLength: 1, maxLength: 5 }),
});
