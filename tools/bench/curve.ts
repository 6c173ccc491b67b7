import { systemClock } from '../../src/time.ts';
import type { MetadataService } from '../../src/service/service.ts';
import { countSample } from '../../src/rowsByAge/rowsByAge.ts';
import { ageStartTime, nextCutoff, type CountedSample } from '../../src/rowsByAge/ageHistogram.ts';
import { startService, type RunningService } from '../../test/service/main.ts';
import { largeIndex } from '../../test/service/sampleRows.ts';
import { median } from './figures.ts';
import type { BenchFigure } from './table.ts';

/** Rows of the large index. */
export const ROWS = 5_000_000;
const ROUNDS = 5;
const TARGET = { entityType: largeIndex.entity, aspect: largeIndex.aspect };

/** Times of one curve, in ms since its request. */
interface CurveRound {
  readonly samples: readonly CountedSample[];
  readonly firstMs: number;
  readonly wholeMs: number;
  /** Times of bare requests for the same cutoffs: the first alone, and all of them. */
  readonly bareFirstMs: number;
  readonly bareWholeMs: number;
}

/** Measures rows by age of a large index beside the bare dry runs that they are made of, in turns. */
export async function curveFigures(clientFor: (service: RunningService) => MetadataService): Promise<BenchFigure[]> {
  const service = await startService({ profile: 'next', rows: 10_000, largeIndexRows: ROWS });
  const client = clientFor(service);
  try {
    // The first request finds the endpoint, like listing sizes.
    await client.indices.listIndexSizes();
    const rounds: CurveRound[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push(await oneRound(service, client));
    }
    const ratio = (part: (one: CurveRound) => number): string => median(rounds.map(part)).toFixed(2);
    return [
      {
        what: `rows by age of ${ROWS} rows: dry runs`,
        figure: String(Math.max(...rounds.map((one) => one.samples.length))),
      },
      { what: '… to the first samples ÷ one bare dry run', figure: ratio((one) => one.firstMs / one.bareFirstMs) },
      {
        what: '… to the whole curve ÷ the same bare dry runs',
        figure: ratio((one) => one.wholeMs / one.bareWholeMs),
      },
      { what: '… to the whole curve, ms', figure: median(rounds.map((one) => one.wholeMs)).toFixed(0) },
    ];
  } finally {
    client.close();
    await service.close();
  }
}

async function oneRound(service: RunningService, client: MetadataService): Promise<CurveRound> {
  const started = performance.now();
  const samples: CountedSample[] = [];
  let firstMs = 0;
  const start = ageStartTime(Date.now());
  const { signal } = new AbortController();
  for (let next = nextCutoff(samples, start); next !== undefined; next = nextCutoff(samples, start)) {
    const sample = await countSample(client, TARGET, next, 'requested', systemClock, signal);
    firstMs ||= performance.now() - started;
    samples.push(...(sample === undefined ? [] : [sample]));
  }
  const wholeMs = performance.now() - started;
  const bare = await bareDryRuns(
    service,
    samples.map(({ endTimeMillis }) => endTimeMillis),
  );
  return { samples, firstMs, wholeMs, bareFirstMs: bare.firstMs, bareWholeMs: bare.wholeMs };
}

/** Times the same dry runs of the large index by bare requests: the first alone, and all of them. */
export async function bareDryRuns(
  service: RunningService,
  cutoffs: readonly number[],
): Promise<{ readonly firstMs: number; readonly wholeMs: number }> {
  const started = performance.now();
  await bareDryRun(service, cutoffs[0] ?? 0);
  const firstMs = performance.now() - started;
  const allStarted = performance.now();
  for (const cutoff of cutoffs) {
    await bareDryRun(service, cutoff);
  }
  return { firstMs, wholeMs: performance.now() - allStarted };
}

async function bareDryRun({ url, adminToken }: RunningService, endTimeMillis: number): Promise<unknown> {
  const answer = await fetch(`${url}/operations?action=truncateTimeseriesAspect`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ ...TARGET, endTimeMillis, dryRun: true }),
  });
  return answer.json();
}
