/**
 * What a server says in the words of a program, said in words for people (PROTOCOL.md §6.2, §7.6). Only what is known word for word
 * is put in other words: anything else is quoted as it came.
 */
import * as l10n from '@vscode/l10n';

/** A server's complaint in our words. */
export interface KnownWords {
  readonly headline: string;
  readonly sentence: string;
  readonly next: string;
}

interface Known {
  readonly says: RegExp;
  /** @param found What stood at the places of the pattern; empty where it was cut off. */
  readonly inOurWords: (...found: readonly string[]) => KnownWords;
}

const checkNames = (): string => l10n.t('Check the entity type and the aspect.');

/** The first that fits counts. */
const KNOWN: readonly Known[] = [
  {
    says: /\bno such index \[([^[\]\s]+)\]/,
    inOurWords: (index = '') => ({
      headline: l10n.t('No such index'),
      sentence: l10n.t('The server has no index "{0}".', index),
      next: checkNames(),
    }),
  },
  {
    says: /\bindex_not_found_exception\b/,
    inOurWords: () => ({
      headline: l10n.t('No such index'),
      sentence: l10n.t('The server has no such index.'),
      next: checkNames(),
    }),
  },
  {
    says: /\bFailed to find entity with name (\S+) in EntityRegistry\b/,
    inOurWords: (entityType = '') => ({
      headline: l10n.t('No such entity type'),
      sentence: l10n.t('The server has no entity type "{0}".', entityType),
      next: l10n.t('Check the entity type.'),
    }),
  },
  {
    says: /\bmethod \[[A-Z]+\], host \[.*?\], URI \[.*?\], status line \[HTTP\/[\d.]+ (\d{3})\b/,
    inOurWords: (status = '') => ({
      headline: l10n.t('Search cluster error ({0})', status),
      sentence: l10n.t("The server's search cluster reported an error (HTTP {0}).", status),
      next: l10n.t('Ask a server administrator. The server log says more.'),
    }),
  },
];

/** @param serverText The server's own words, fit to be shown. @returns undefined for words that are not known. */
export function knownWords(serverText: string | undefined): KnownWords | undefined {
  for (const { says, inOurWords } of KNOWN) {
    const found = says.exec(serverText ?? '');
    if (found !== null) {
      return inOurWords(...found.slice(1));
    }
  }
  return undefined;
}
