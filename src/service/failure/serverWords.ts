/** Messages of servers that are known by their words, and the sentences shown instead (PROTOCOL.md §6.2, §7.6). */
import * as l10n from '@vscode/l10n';

/** Only exact phrases are put in our words; others are quoted. */
interface RewordedServerMessage {
  readonly headline: string;
  readonly sentence: string;
  readonly next: string;
}

interface KnownMessagePattern {
  readonly says: RegExp;
  /** @param found Captures of the pattern; empty where the text was cut off. */
  readonly rewordedMessage: (...found: readonly string[]) => RewordedServerMessage;
}

const checkNamesAdvice = (): string => l10n.t('Check the entity type and the aspect.');

/** The first match counts. */
const KNOWN_MESSAGES: readonly KnownMessagePattern[] = [
  {
    says: /\bno such index \[([^[\]\s]+)\]/,
    rewordedMessage: (index = '') => ({
      headline: l10n.t('No such index'),
      sentence: l10n.t('The server has no index "{0}".', index),
      next: checkNamesAdvice(),
    }),
  },
  {
    says: /\bindex_not_found_exception\b/,
    rewordedMessage: () => ({
      headline: l10n.t('No such index'),
      sentence: l10n.t('The server has no such index.'),
      next: checkNamesAdvice(),
    }),
  },
  {
    says: /\bFailed to find entity with name (\S+) in EntityRegistry\b/,
    rewordedMessage: (entityType = '') => ({
      headline: l10n.t('No such entity type'),
      sentence: l10n.t('The server has no entity type "{0}".', entityType),
      next: l10n.t('Check the entity type.'),
    }),
  },
  {
    says: /\bmethod \[[A-Z]+\], host \[.*?\], URI \[.*?\], status line \[HTTP\/[\d.]+ (\d{3})\b/,
    rewordedMessage: (status = '') => ({
      headline: l10n.t('Search cluster error ({0})', status),
      sentence: l10n.t("The server's search cluster reported an error (HTTP {0}).", status),
      next: l10n.t('Ask a server administrator. See the server log for details.'),
    }),
  },
];

/** @param serverText Showable words of the server. @returns undefined for unknown words. */
export function knownServerMessage(serverText: string | undefined): RewordedServerMessage | undefined {
  for (const { says, rewordedMessage } of KNOWN_MESSAGES) {
    const found = says.exec(serverText ?? '');
    if (found !== null) {
      return rewordedMessage(...found.slice(1));
    }
  }
  return undefined;
}
