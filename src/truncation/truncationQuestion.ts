/** What a person is asked before rows are deleted, in numbers and words of their language. */
import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import type { TruncationQuestion } from '../ui/confirm.ts';
import { percentOf } from './dryRunReport.ts';
import { targetOf } from './plan.ts';
import type { CutOffCaution } from './plan.ts';
import { strategyTexts } from './taskTexts.ts';
import type { Review } from './truncation.ts';

export function truncationQuestion(
  connection: Pick<Connection, 'name' | 'baseUrl'>,
  { plan, report }: Review,
  caution: CutOffCaution | undefined,
  timeZone: string,
): TruncationQuestion {
  const number = new Intl.NumberFormat(vscode.env.language, { maximumFractionDigits: 2 });
  const { rows } = report;
  return {
    target: targetOf(plan),
    connectionName: connection.name,
    baseUrl: connection.baseUrl,
    cutOff: cutOffText(plan.endTimeMillis, timeZone),
    caution,
    rows:
      rows === undefined
        ? undefined
        : { toDelete: number.format(rows.toDelete), total: number.format(rows.total), percent: number.format(percentOf(rows)) },
    serverText: report.serverText,
    strategyMeaning: strategyTexts[report.strategy].meaning(),
  };
}

/** A date and time with the name of its zone. */
export function cutOffText(millis: number, timeZone: string): string {
  const options = { dateStyle: 'full', timeStyle: 'long' } as const;
  try {
    return new Intl.DateTimeFormat(vscode.env.language, { ...options, timeZone }).format(millis);
  } catch {
    return new Intl.DateTimeFormat(vscode.env.language, options).format(millis);
  }
}
