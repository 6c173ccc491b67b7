import type { Profile } from '../profiles.ts';
import type { RowCounts } from './timeseriesStore.ts';

export interface StrategyFlags {
  readonly forceDeleteByQuery: boolean | null;
  readonly forceReindex: boolean | null;
}

export type Strategy = 'reindex' | 'deleteByQuery';

export const flagsClash = 'please only set forceReindex OR forceDeleteByQuery flags';

/** Two flags that are given and equal contradict each other, whether true or false. */
export function flagsContradict({ forceDeleteByQuery, forceReindex }: StrategyFlags): boolean {
  return forceDeleteByQuery !== null && forceDeleteByQuery === forceReindex;
}

/** More than half of the rows is a reindex, unless a flag says otherwise. */
export function chooseStrategy(profile: Profile, { toDelete, total }: RowCounts, flags: StrategyFlags): Strategy {
  const wantsReindex = flags.forceReindex === true || toDelete > Math.floor(total / 2);
  return profile.strategy === 'byShare' && flags.forceDeleteByQuery !== true && wantsReindex
    ? 'reindex'
    : 'deleteByQuery';
}

/** Sentences of a dry run. The share is printed in the server's locale, and is NaN if there are no rows at all. */
export function describePlan(
  profile: Profile,
  { toDelete, total }: RowCounts,
  strategy: Strategy,
  decimalSeparator: string,
): string {
  const share = total === 0 ? 'NaN' : ((toDelete / total) * 100).toFixed(2).replace('.', decimalSeparator);
  // The description only knows reindexing, whatever the server really does.
  const reindexing = strategy === 'reindex' || profile.strategy === 'byQueryCalledReindex';
  return [
    `Delete ${toDelete} out of ${total} rows (${share}%).`,
    reindexing ? 'Reindexing the aspect without the deleted records.' : 'Issuing a delete by query request.',
    'This was a dry run. Run with dryRun = false to execute.',
  ].join(' ');
}
