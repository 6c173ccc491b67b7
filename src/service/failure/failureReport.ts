/** The text that a user copies to report a failure. */
import type { ServiceFailure } from './failure.ts';
import { redactSecrets, plainLine } from './redaction.ts';
import { knownSecrets } from './secret.ts';

/** Where and when a failure happened. */
interface FailureContext {
  /** Display name of the connection. */
  readonly connection?: string | undefined;
  readonly product?: string | undefined;
  readonly version?: string | undefined;
  /** Overrides the failure's own where the user knows it by another name. */
  readonly operation?: string | undefined;
  /** Unix time in ms. */
  readonly when: number;
}

const LONGEST_LINE = 1_000;

/** One line for each known fact. Fact names stay English in every display language, since support staff read them. */
export function failureReport(failure: ServiceFailure, context: FailureContext): string {
  const { connection, product, version, when } = context;
  const server = [product, version].filter((part) => part !== undefined && part !== '').join(' ');
  const facts: readonly (readonly [string, string | number | undefined])[] = [
    ['What happened', failure.message],
    ['Next step', failure.next],
    ['Operation', context.operation ?? failure.operation],
    ['Kind', failure.kind],
    ['HTTP status', failure.status],
    ['Server says', failure.serverText],
    ['Missing privilege', failure.privilege],
    [
      'Retry after',
      failure.retryAfterMillis === undefined ? undefined : `${Math.ceil(failure.retryAfterMillis / 1000)} s`,
    ],
    ['Outcome', failure.mayHaveActed ? 'unknown: the server may have acted' : undefined],
    ['Connection', connection],
    ['Server', server],
    ['Time', new Date(when).toISOString()],
  ];
  return facts
    .flatMap(([name, value]) =>
      value === undefined || value === ''
        ? []
        : [`${name}: ${plainLine(redactSecrets(String(value), knownSecrets()), LONGEST_LINE)}`],
    )
    .join('\n');
}
