/** The age that a new truncation begins with, and why. */
import * as l10n from '@vscode/l10n';
import type { IndexName } from '../indices/indexName.ts';
import { holdsPipelineState } from '../indices/timeseriesAspects.ts';
import { USUAL_DAYS } from './cutoff.ts';

/** Proposed for the state of pipelines, two years: an older pipeline will hardly run again. */
const STATE_DAYS = 730;

/** In days. */
export function proposedAge(target: IndexName): number {
  return holdsPipelineState(target) ? STATE_DAYS : USUAL_DAYS;
}

/** Undefined for the usual age. */
export function reasonForProposedAge(target: IndexName): string | undefined {
  return holdsPipelineState(target)
    ? l10n.t(
        'This index holds the state of ingestion pipelines. A pipeline that last ran before the cutoff starts over, so two years are proposed.',
      )
    : undefined;
}
