import { ServiceFailure } from '../../src/service/failure/failure.ts';
import type { TruncationPlan } from '../../src/service/indices/truncationRequest.ts';
import { TIMESERIES_ASPECTS } from '../../src/indices/timeseriesAspects.ts';
import { parseDryRun, type DryRunReport, type RowCounts } from '../../src/truncation/dryRun.ts';
import {
  differs,
  failureOf,
  findingOf,
  holds,
  notAsked,
  type ServerClaim,
  type ClaimAnswer,
  type ClaimFinding,
} from './claim.ts';
import type { CountedIndex, ServerSession } from './session.ts';

const DAY = 86_400_000;
const now = Date.now();
/** Unix times in ms, UTC. Tests distinguish dry runs by them. */
export const CUTOFFS = { beforeAll: 1, aYearAgo: now - 365 * DAY, aMonthAgo: now - 30 * DAY, now } as const;
export const NO_SUCH_ENTITY = 'conformancenosuchentity';
export const NO_SUCH_ASPECT = 'conformancenosuchaspect';

export const DRY_RUN_CLAIMS: readonly ServerClaim[] = [
  {
    id: 'dry-run',
    sentence: 'A dry run says how many of how many rows would be deleted, and how',
    expected: 'two counts and a strategy, for each index',
    exchanges: ['dry-run', 'dry-run-of-nothing', 'dry-run-on-postgres', 'spec-dry-run', 'truncation-refused'],
    consequence: "The extension can't say what a truncation would delete.",
    advice: 'noTruncation',
    ask: countIndices,
  },
  {
    id: 'dry-run-only-counts',
    sentence: 'A dry run deletes nothing',
    expected: 'as many rows after it as before',
    exchanges: ['dry-run'],
    consequence: 'A dry run may delete rows, unless another job deleted some meanwhile.',
    advice: 'noTruncation',
    ask: ofRows(async (index, session) => {
      const { total } = await count(session, planOf(index, { endTimeMillis: CUTOFFS.aYearAgo }));
      return total >= index.total ? holds('as many rows, or more') : differs('fewer rows');
    }),
  },
  {
    id: 'cutoff',
    sentence: 'A cutoff before all rows deletes none, and a later one never fewer',
    expected: 'none, then more and more',
    exchanges: ['dry-run-of-a-small-share'],
    consequence: 'More rows may be deleted than the cutoff says.',
    advice: 'noTruncation',
    ask: ofRows(async (index, session) => {
      const counts: number[] = [];
      for (const endTimeMillis of [CUTOFFS.beforeAll, CUTOFFS.aMonthAgo, CUTOFFS.now]) {
        counts.push((await count(session, planOf(index, { endTimeMillis }))).toDelete);
      }
      const [none = 0, older = 0, all = 0] = counts;
      return none === 0 && older <= all
        ? holds('none, then more and more', counts.join(', '))
        : differs('other counts', counts.join(', '));
    }),
  },
  {
    id: 'delete-by-query',
    sentence: '`forceDeleteByQuery` makes it a delete by query',
    expected: 'delete by query',
    exchanges: ['dry-run-of-a-small-share', 'dry-run-of-nothing'],
    consequence: 'The server may reindex although you chose delete by query, which can hide every row of the index.',
    advice: 'noTruncation',
    onlyDataHub: true,
    ask: ofCounted(async (index, session) => {
      const { strategy } = await report(session, planOf(index, { strategy: 'deleteByQuery' }));
      return strategy === 'deleteByQuery' || differs('another strategy');
    }),
  },
  {
    id: 'reindex',
    sentence: '`forceReindex` makes it a reindex; PostgreSQL refuses it',
    expected: 'a reindex, or a refusal on PostgreSQL',
    exchanges: ['dry-run-of-nothing'],
    consequence: 'A reindex that you choose may be none. Delete by query, which is proposed, is not affected.',
    onlyDataHub: true,
    ask: ofCounted(async (index, session) => {
      const store = storeOf(session);
      try {
        const { strategy, rows } = await report(session, planOf(index, { strategy: 'reindex' }));
        if (rows === undefined && store !== 'cluster') return holds('rejected');
        return strategy === 'reindex' && store !== 'postgres'
          ? holds('a reindex')
          : differs('another strategy, or no refusal');
      } catch (thrown) {
        const isRejected =
          thrown instanceof ServiceFailure && (thrown.kind === 'badRequest' || thrown.kind === 'server');
        return isRejected && store !== 'cluster' ? holds('rejected') : findingOf(thrown);
      }
    }),
  },
  {
    id: 'strategy',
    sentence: 'By default the server reindexes if more than half of the rows would be deleted; PostgreSQL never does',
    expected: 'a reindex for all rows, a delete by query for none',
    exchanges: ['dry-run', 'dry-run-of-a-small-share', 'dry-run-on-postgres'],
    consequence: 'None: the strategy that a dry run reports is shown and asked about.',
    onlyDataHub: true,
    ask: ofCounted(async (index, session) => {
      const all = await report(session, planOf(index, { endTimeMillis: CUTOFFS.now }));
      const none = await report(session, planOf(index, { endTimeMillis: CUTOFFS.beforeAll }));
      if (all.rows === undefined || all.rows.toDelete * 2 <= all.rows.total)
        return notAsked('no index has enough rows before now');
      const store = storeOf(session);
      if (store === 'unknown' && all.strategy === 'deleteByQuery')
        return notAsked("it isn't known whether this is PostgreSQL");
      const isAsClaimed = all.strategy === (store === 'postgres' ? 'deleteByQuery' : 'reindex');
      return isAsClaimed && none.strategy === 'deleteByQuery' ? holds('as expected') : differs('other strategies');
    }),
  },
  {
    id: 'unknown-entity-type',
    sentence: "An entity type that doesn't exist is rejected",
    expected: '400, in the expected words',
    exchanges: ['entity-type-unknown'],
    consequence: 'A mistyped entity type is reported in the words of the server.',
    ask: async (session) => {
      const plan = planOf({ entityType: NO_SUCH_ENTITY, aspect: NO_SUCH_ASPECT });
      const failure = await failureOf(report(session, plan));
      if (failure?.kind !== 'badRequest') return failure === undefined ? differs('a report') : findingOf(failure);
      return (
        /^Failed to find entity with name \S+ in EntityRegistry/.test(failure.serverText ?? '') ||
        differs('400, in other words', failure.serverText)
      );
    },
  },
  {
    id: 'unknown-aspect',
    sentence: "An aspect that doesn't exist has no rows",
    expected: 'an error, or 0 of 0 rows',
    exchanges: ['aspect-unknown'],
    consequence: 'A mistyped aspect may reach rows of another index.',
    advice: 'noTruncation',
    ask: ofCounted(async ({ entityType }, session) => {
      let rows: RowCounts | undefined;
      try {
        ({ rows } = await report(session, planOf({ entityType, aspect: NO_SUCH_ASPECT })));
      } catch (thrown) {
        const isError = thrown instanceof ServiceFailure && (thrown.kind === 'server' || thrown.kind === 'badRequest');
        return isError ? holds('an error') : findingOf(thrown);
      }
      return rows?.total === 0 ? holds('0 of 0 rows') : differs('rows, or no counts');
    }),
  },
];

/** Dry runs of each listed index, or of DataHub's own time series if none is listed by name. */
async function countIndices(session: ServerSession): Promise<ClaimFinding> {
  const listed = (session.learned.indices ?? []).flatMap(({ entityType, aspect }) =>
    entityType === undefined || aspect === undefined ? [] : [{ entityType, aspect }],
  );
  const known = TIMESERIES_ASPECTS.map(({ name }) => {
    const [entityType = '', aspect = ''] = name.split('/');
    return { entityType, aspect };
  });
  const indices = (listed.length > 0 ? listed : known).slice(0, session.mostIndices);
  const details: string[] = [];
  let unread: ClaimFinding | undefined;
  for (const [done, index] of indices.entries()) {
    session.dryRunStarts(done + 1, indices.length);
    const name = `${index.entityType}/${index.aspect}`;
    let read: DryRunReport;
    try {
      read = await report(session, planOf(index, { endTimeMillis: CUTOFFS.aYearAgo }));
    } catch (thrown) {
      const finding = findingOf(thrown);
      if (finding.result !== 'differs') return finding;
      // A release may lack some of DataHub's own time series.
      unread ??= listed.length > 0 ? { ...finding, detail: `${name}: ${finding.detail ?? ''}` } : undefined;
      continue;
    }
    const { rows, strategy } = read;
    if (rows === undefined || strategy === 'unknown') {
      unread ??= differs('a sentence without them', `${name}: ${read.serverText}`);
      continue;
    }
    details.push(`${name}: ${rows.toDelete} of ${rows.total}`);
    if ((session.learned.counted?.total ?? 0) === 0) {
      session.learned.counted = { ...index, total: rows.total };
    }
  }
  if (unread === undefined && details.length === 0) return notAsked('no index was found');
  return unread ?? holds('two counts and a strategy', details.join(', '));
}

function planOf(
  { entityType, aspect }: Pick<CountedIndex, 'entityType' | 'aspect'>,
  options: Partial<Pick<TruncationPlan, 'endTimeMillis' | 'strategy'>> = {},
): TruncationPlan {
  return {
    entityType,
    aspect,
    endTimeMillis: CUTOFFS.aYearAgo,
    batchSize: 10_000,
    timeoutSeconds: undefined,
    strategy: 'server',
    ...options,
  };
}

async function report({ service, signal }: ServerSession, plan: TruncationPlan): Promise<DryRunReport> {
  return parseDryRun((await service.indices.dryRun(plan, signal)).text);
}

/** @throws ServiceFailure, also if there are no counts */
async function count(session: ServerSession, plan: TruncationPlan): Promise<RowCounts> {
  const { rows } = await report(session, plan);
  if (rows === undefined) throw new ServiceFailure('unexpectedAnswer', 'The report has no counts.');
  return rows;
}

/** PostgreSQL is recognized by its single size. */
function storeOf({ learned }: ServerSession): 'postgres' | 'cluster' | 'unknown' {
  const { indices } = learned;
  if (indices === undefined) return 'unknown';
  return indices.some(({ isTotal }) => isTotal) ? 'postgres' : 'cluster';
}

function ofCounted(
  ask: (index: CountedIndex, session: ServerSession) => Promise<ClaimAnswer>,
): (session: ServerSession) => Promise<ClaimAnswer> {
  return async (session) =>
    session.learned.counted === undefined ? notAsked('no dry run was answered') : ask(session.learned.counted, session);
}

/** Finding of claims that need rows. */
function ofRows(
  ask: (index: CountedIndex, session: ServerSession) => Promise<ClaimAnswer>,
): (session: ServerSession) => Promise<ClaimAnswer> {
  return ofCounted(async (index, session) =>
    index.total === 0 ? notAsked('no index with rows was found') : ask(index, session),
  );
}
