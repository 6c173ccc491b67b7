/** Dry runs, read: how many rows a plan would delete on a server right now. */
import { ServiceFailure } from '../service/failure/failure.ts';
import type { Service } from '../service/service.ts';
import * as l10n from '@vscode/l10n';
import { readDryRun } from './model/dryRun.ts';
import type { DryRunReport } from './model/dryRun.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';

/** @throws ServiceFailure also for a dry run that would not delete in the way that the plan asks for. */
export async function countRows(service: Service, plan: TruncationPlan, signal?: AbortSignal): Promise<DryRunReport> {
  const report = readDryRun(await service.indices.dryRun(plan, signal));
  if (plan.strategy !== 'server' && report.strategy !== 'unknown' && report.strategy !== plan.strategy) {
    throw new ServiceFailure('unsupported', l10n.t("The server wouldn't use the strategy you selected."), {
      serverText: report.serverText,
      next: l10n.t('Select the strategy "Automatic".'),
    });
  }
  return report;
}

/**
 * Learns whether the strategy can be chosen on this server, and whom it takes us for, which nobody waits for. That it cannot be told
 * takes nothing from a dry run: it is asked with the next.
 */
export async function learnOfServer(service: Service, plan: TruncationPlan, signal: AbortSignal): Promise<void> {
  const { capabilities, indices } = service;
  service.introduction().catch(() => undefined);
  if (capabilities.forceFlags === undefined) {
    await indices.knowsForceFlags(plan, signal).then(
      (known) => capabilities.learnedForceFlags(known),
      () => undefined,
    );
  }
}
