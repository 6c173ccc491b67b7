/** Failures of changes to tokens, each with the server's reason. */
import * as l10n from '@vscode/l10n';
import { toServiceFailure, ServiceFailure } from '../service/failure/failure.ts';

/** A bug of ours proves nothing about the server: look the change up, and never retry it. */
export function mutationFailure(thrown: unknown): ServiceFailure {
  return thrown instanceof ServiceFailure
    ? thrown
    : toServiceFailure(thrown).with({ mayHaveActed: true, next: undefined });
}

interface FailedRevocation {
  /** The token's label in the tree. */
  readonly label: string;
  readonly failure: ServiceFailure;
}

/** Combines failures into one. @param asked Number of tokens to revoke. */
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
    const all = first.failure.because(
      what,
      failed.map((one) => `"${one.label}": ${failureReason(one.failure)}`).join(' '),
    );
    // The sentence has each reason. Separate facts would only describe the first failure.
    return all.with({ serverText: undefined, mayHaveActed: unknown, ...(unknown ? { next: refreshAdvice() } : {}) });
  }
  const { label, failure } = first;
  return failure.mayHaveActed
    ? failure
        .because(l10n.t('"{0}" may or may not have been revoked', label), failureReason(failure))
        .with({ next: refreshAdvice() })
    : failure.because(l10n.t('"{0}" wasn\'t revoked', label), failureReason(failure));
}

function refreshAdvice(): string {
  return l10n.t('Refresh the tokens in a moment. Those that are still there can be revoked again.');
}

/** Some sentences already quote the server. */
function failureReason({ message, serverText }: ServiceFailure): string {
  return serverText === undefined || serverText === '' || message.includes(serverText)
    ? message
    : `${message} ${l10n.t('The server says: {0}', serverText)}`;
}
