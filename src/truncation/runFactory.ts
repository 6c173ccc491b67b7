/** Makes the runs of truncations in VS Code. */
import * as l10n from '@vscode/l10n';
import { showWarning } from '../ui/messages.ts';
import { settings } from '../ui/settings.ts';
import { type Problem, problemText } from './outcome.ts';
import type { PlanDraft } from './plan.ts';
import type { TruncationRecord } from './record.ts';
import { TruncationRun } from './run.ts';
import type { RunEnvironment, RunOptions } from './runEnvironment.ts';

/** Makes a run once its stores are loaded. @param from A draft, or the record of a truncation to show. */
export type RunFactory = (
  connectionId: string,
  from: PlanDraft | TruncationRecord,
  options?: RunOptions,
) => Promise<TruncationRun>;

export function createRunFactory(
  parts: Omit<RunEnvironment, 'maxAgeMillis' | 'notifyPageClosed' | 'notifyNotStored'>,
): RunFactory {
  const environment: RunEnvironment = {
    ...parts,
    maxAgeMillis: settings.dryRunMaxAgeMillis,
    notifyPageClosed,
    notifyNotStored: () =>
      void showWarning(
        l10n.t(
          "The truncation was sent, but its progress couldn't be stored on this machine. After a reload, its outcome is unknown.",
        ),
      ),
  };
  return (...run) => TruncationRun.open(environment, ...run);
}

/** Says that nothing was deleted: the page was closed. @param problem Set after the last question. */
export function notifyPageClosed(problem?: Problem): void {
  void showWarning(
    problem === undefined
      ? l10n.t('Nothing was deleted. The page was closed before the last question was answered.')
      : problemText(problem),
  );
}
