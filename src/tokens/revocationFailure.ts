/** What is told of revocations that failed: each with the server's reason. */
import * as l10n from '@vscode/l10n';
import { toServiceFailure, ServiceFailure } from '../service/failure/failure.ts';

/** A bug of ours says nothing about the server: the change may have been made, so it is looked for and never tried again. */
export function mutationFailure(thrown: unknown): ServiceFailure {
  return thrown instanceof ServiceFailure
    ? thrown
    : toServiceFailure(thrown).with({ mayHaveActed: true, next: undefined });
}

interface FailedRevocation {
  /** The token as the tree shows it. */
  readonly label: string;
  readonly failure: ServiceFailure;
}

/** All of them as one failure. @param asked How many tokens were to be revoked. */
export function revocationFailure(
  failed: readonly [FailedRevocation, ...FailedRevocation[]],
  asked: number,
): ServiceFailure {
  const [first] = failed;
  if (failed.length > 1) {
    const unknown = failed.some(({ failure }) => failure.mayHaveActed);
    const what = unknown
      ? l10n.t("{0} of {1} access tokens weren't revoked, or the result is unknown", failed.length, asked)
      : l10n.t("{0} of {1} access tokens weren't revoked", failed.length, asked);
    const all = first.failure.because(what, failed.map((one) => `"${one.label}": ${reasonOf(one.failure)}`).join(' '));
    // Each reason is in the sentence; as facts of their own they would be those of the first alone.
    return all.with({ serverText: undefined, mayHaveActed: unknown, ...(unknown ? { next: reload() } : {}) });
  }
  const { label, failure } = first;
  return failure.mayHaveActed
    ? failure
        .because(l10n.t('"{0}" may or may not have been revoked', label), reasonOf(failure))
        .with({ next: reload() })
    : failure.because(l10n.t('"{0}" wasn\'t revoked', label), reasonOf(failure));
}

function reload(): string {
  return l10n.t('Refresh the tokens in a moment. Those that are still there can be revoked again.');
}

/** Some sentences quote the server already. */
function reasonOf({ message, serverText }: ServiceFailure): string {
  return serverText === undefined || serverText === '' || message.includes(serverText)
    ? message
    : `${message} ${l10n.t('The server says: {0}', serverText)}`;
}
