import { redactSecrets, plainLine } from '../../src/service/failure/redaction.ts';
import type { ServerEntrance, ServerIdentity } from '../../src/service/server/serverInfo.ts';
import type { ClaimAdvice, ClaimResult } from './claim.ts';
import type { ClaimRow } from './run.ts';

/** Facts for the lines around the table. */
export interface ReportFacts {
  /** Of the extension. */
  readonly version: string;
  /** As ISO 8601: 2026-01-31. */
  readonly date: string;
  readonly server: ServerIdentity;
  /** Number of dry runs. */
  readonly mostIndices: number;
  /** Adds names, counts and texts of the server. */
  readonly names: { readonly baseUrl: string; readonly caller: string } | undefined;
}

const WAYS: Readonly<Record<ServerEntrance, string>> = {
  direct: ', asked directly',
  front: ', asked through its web front end',
  unknown: '',
};

const ADVICE: Readonly<Record<ClaimAdvice, string>> = {
  useIt: 'You can use the extension.',
  noTokens: "Don't manage tokens with it. Indices are not affected.",
  noTruncation: "Don't truncate with it. Tokens are not affected.",
  dontUseIt: "Don't use the extension on this server yet.",
};

const COUNTED: readonly (readonly [ClaimResult, string, string])[] = [
  ['holds', 'holds', 'hold'],
  ['differs', 'differs', 'differ'],
  ['not permitted', 'not permitted', 'not permitted'],
  ['not asked', 'not asked', 'not asked'],
];

/** Longer than most lists. An issue takes 65,536 characters. */
const LONGEST_DETAIL = 10_000;

/** Markdown, to be pasted into an issue. */
export function report(rows: readonly ClaimRow[], facts: ReportFacts): string {
  return [
    heading(facts),
    ['| claim | expected | seen | result |', '|---|---|---|---|', ...rows.map((row) => tableRow(row, facts))].join(
      '\n',
    ),
    ...consequences(rows),
    summary(rows),
  ].join('\n\n');
}

/** Number of claims with each result. */
function summary(rows: readonly ClaimRow[]): string {
  const counts = COUNTED.map(([result, one, several]) => {
    const count = rows.filter(({ finding }) => finding.result === result).length;
    return `${count} ${count === 1 ? one : several}`;
  });
  return `${counts.join(', ')}.`;
}

/** Omits suffixes that may name a company: "v1.7.0-acme" becomes "v1.7.0-…". */
export function releaseText(version: string | undefined): string {
  const [, release, rest = ''] = /^(v?\d{1,5}(?:\.\d{1,5}){0,4})(.*)$/.exec(version ?? '') ?? [];
  if (release === undefined) return version === undefined ? '(release unknown)' : '(custom build)';
  return /^(?:-(?:SNAPSHOT|head|slim))?$|^-?rc\.?\d{0,3}$/i.test(rest) ? release + rest : `${release}-…`;
}

function heading({ version, date, server, mostIndices, names }: ReportFacts): string {
  const product = server.product ?? 'An unidentified server';
  const asked = `${product} ${releaseText(server.version)}${WAYS[server.entrance]}`;
  const indices = mostIndices === Number.POSITIVE_INFINITY ? 'all indices' : `${mostIndices} indices at most`;
  const named = names === undefined ? '' : ` Address: ${cell(names.baseUrl)}. User: ${cell(names.caller)}.`;
  return `${asked}, on ${date}, by extension ${version}. Truncations were dry runs only, of ${indices}.${named}`;
}

function tableRow({ claim, finding }: ClaimRow, { names }: ReportFacts): string {
  const detail = names === undefined || finding.detail === undefined ? '' : ` (${cell(finding.detail)})`;
  return `| ${claim.sentence} | ${claim.expected} | ${finding.seen}${detail} | ${finding.result} |`;
}

function consequences(rows: readonly ClaimRow[]): string[] {
  const different = rows.filter(({ finding }) => finding.result === 'differs');
  if (different.length === 0) return [];
  const lines = different.map(
    ({ claim }) => `- ${claim.sentence}: ${claim.consequence} ${ADVICE[claim.advice ?? 'useIt']}`,
  );
  return [['What depends on the claims that differ:', '', ...lines].join('\n')];
}

/**
 * Text of the server for a cell of a table, without its secrets. It's code, since GitHub makes links and mentions even
 * of escaped text. A pipe or a backtick would end the cell or the code.
 */
function cell(text: string): string {
  const line = plainLine(redactSecrets(text), LONGEST_DETAIL);
  return line === '' ? '' : `\`${line.replaceAll('|', '¦').replaceAll('`', "'")}\``;
}
