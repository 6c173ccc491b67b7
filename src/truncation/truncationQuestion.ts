/** What a person is asked before rows are deleted, in numbers and words of their language. */
import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import { percentOf } from './model/dryRun.ts';
import { targetOf } from './model/plan.ts';
import type { CutOffCaution } from './model/plan.ts';
import { strategyTexts } from './model/texts.ts';
import type { Review } from './model/state.ts';
import { formatsOf } from '../ui/formats.ts';

/** What a person has to know to say yes to a truncation, ready to be shown. */
export interface TruncationQuestion {
  /** `entityType/aspect`: this is to be typed. */
  readonly target: string;
  readonly connectionName: string;
  /** Names can be alike, or say one thing and mean another: this is where rows are deleted. */
  readonly baseUrl: string;
  /** In the person's time zone, with its name. */
  readonly cutOff: string;
  readonly caution: CutOffCaution | undefined;
  /** Undefined: the server's text was not understood. */
  readonly rows: { readonly toDelete: string; readonly total: string; readonly percent: string } | undefined;
  readonly serverText: string;
  readonly strategyMeaning: string;
}

export function truncationQuestion(
  connection: Pick<Connection, 'name' | 'baseUrl'>,
  { plan, report }: Review,
  caution: CutOffCaution | undefined,
  timeZone: string,
): TruncationQuestion {
  const { number, percent, fullTime } = formatsOf(vscode.env.language, timeZone);
  const { rows } = report;
  return {
    target: targetOf(plan),
    connectionName: connection.name,
    baseUrl: connection.baseUrl,
    cutOff: fullTime(plan.endTimeMillis),
    caution,
    rows:
      rows === undefined
        ? undefined
        : { toDelete: number(rows.toDelete), total: number(rows.total), percent: percent(percentOf(rows)) },
    serverText: report.serverText,
    strategyMeaning: strategyTexts[report.strategy].meaning(),
  };
}
