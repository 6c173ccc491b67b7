/** The text that a user copies to report a failure. It may become public, so it's made of closed sets and numbers alone. */
import type { ServiceFailure } from './failure.ts';

/** Versions and place, for a report. */
interface ReportedSetup {
  /** Version of the extension. */
  readonly extension: string;
  /** Version of VS Code. */
  readonly vscode: string;
  /** Where the extension runs, as `placeInReport` has it. */
  readonly place: string;
  /** As the server says it, such as `v1.6.0.16`. Undefined if unknown. */
  readonly release: string | undefined;
}

/** A server may call itself anything, so only the numbers are kept. Four without a `v` may be an address. */
const RELEASE = /^(?:v\d{1,4}(?:\.\d{1,4}){1,3}|\d{1,4}(?:\.\d{1,4}){1,2})(?:rc\d{1,3})?(?![\d.])/;

/**
 * One line for each known fact, in English in every display language. Has no address, secret or user, so none of the
 * failure's sentences, which may quote the server.
 */
export function failureReport(failure: ServiceFailure, { extension, vscode, place, release }: ReportedSetup): string {
  const { operation, kind, status, privilege } = failure;
  const facts: readonly (readonly [string, string | number | undefined])[] = [
    ['Extension', extension],
    ['VS Code', vscode],
    ['Runs on', place],
    ['Server', RELEASE.exec(release ?? '')?.[0] ?? 'unknown release'],
    ['Operation', operation],
    ['Kind', kind],
    ['HTTP status', status],
    ['Missing privilege', privilege],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`])).join('\n');
}
