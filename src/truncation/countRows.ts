/** Dry runs, read: how many rows a plan would delete on a server right now. */
import { ServiceFailure } from '../service/failure/failure.ts';
import type { Service } from '../service/service.ts';
import * as l10n from '@vscode/l10n';
import { readDryRun } from './dryRun.ts';
import type { DryRunReport } from './dryRun.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';

/** @throws ServiceFailure also for a dry run that would not delete in the way that the plan asks for. */
export async function countRows(service: Service, plan: TruncationPlan, signal?: AbortSignal): Promise<DryRunReport> {
  const report = readDryRun(await service.indices.dryRun(plan, signal));
  if (plan.strategy !== 'server' && report.strategy !== 'unknown' && report.strategy !== plan.strategy) {
    throw new ServiceFailure('unsupported', l10n.t("The server wouldn't use the strategy you selected."), {
      serverText: report.serverText,
      next: l10n.t('Select "As the server decides" under Advanced.'),
    });
  }
  return report;
}

/**
 * Checks whether the user can choose the strategy on this server. Asked once, as a dry run, and remembered.
 * @throws ServiceFailure when the server couldn't be asked.
 */
export async function takesStrategies(service: Service, plan: TruncationPlan, signal: AbortSignal): Promise<boolean> {
  const { capabilities, indices } = service;
  if (capabilities.forceFlags === undefined) {
    capabilities.learnedForceFlags(await indices.knowsForceFlags(plan, signal));
  }
  return capabilities.forceFlags === true;
}

/** In the background, learns what the next dry run doesn't need. Failures are ignored; the next dry run retries. */
export async function learnOfServer(service: Service, plan: TruncationPlan, signal: AbortSignal): Promise<void> {
  service.introduction().catch(() => undefined);
  await takesStrategies(service, plan, signal).catch(() => undefined);
}
