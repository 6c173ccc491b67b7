/**
 * Why a creation was refused and what it takes, in our words. An answer to a creation may hold the new token, wherever it is put:
 * the server's words are recognized, and nobody is shown them.
 */
import { durationRefusal } from './durationRefusal.ts';
import type { DurationRefusal } from './durationRefusal.ts';
import { lengthName } from './durationText.ts';
import { ServiceFailure } from './failure/failure.ts';
import type { CreateToken } from './tokens/tokenCreation.ts';
import * as l10n from '@vscode/l10n';

/** So many lengths make a sentence that is still read. */
const MOST_NAMED = 12;

interface CreationRefusal {
  readonly failure: ServiceFailure;
  /** What it says about durations, if it is about them. */
  readonly durations: DurationRefusal | undefined;
}

/** @param heard What the server said, word for word. */
export function creationRefusal(
  failure: ServiceFailure,
  { duration, type }: CreateToken,
  heard: readonly string[],
): CreationRefusal {
  const { kind, operation, status } = failure;
  if (kind !== 'badRequest' && kind !== 'server' && kind !== 'invalidDocument') {
    return { failure, durations: undefined };
  }
  const text = heard.join('\n');
  const durations = durationRefusal(duration, text);
  // Who reads the input and throws over it has made nothing yet, whatever the status says.
  const facts = { operation, status, mayHaveActed: false };
  if (durations !== undefined) {
    const next =
      durations.lengths === undefined
        ? l10n.t('Choose another duration.')
        : l10n.t('Choose one of these: {0}.', durations.lengths.slice(0, MOST_NAMED).map(lengthName).join(', '));
    return {
      failure: new ServiceFailure('badRequest', l10n.t("This server doesn't allow that duration."), { ...facts, next }),
      durations,
    };
  }
  if (type === 'SERVICE_ACCOUNT' && /is not a service account|failed to validate service account/i.test(text)) {
    const next = l10n.t('Enter the ID or URN of a service account.');
    return {
      failure: new ServiceFailure('badRequest', l10n.t("This service account doesn't exist on the server."), {
        ...facts,
        next,
      }),
      durations,
    };
  }
  const next = kind === 'badRequest' ? l10n.t('Check the name, the user and the duration.') : undefined;
  return { failure: next === undefined ? failure : failure.with({ next: failure.next ?? next }), durations };
}
