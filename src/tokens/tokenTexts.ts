/** Sentences about tokens that several places show: problems of typed names, and failures of changes too. Pure. */
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import { withBothEnds } from '../ui/foreignText.ts';
import { formatsOf } from '../ui/formats.ts';
import { MOST_LISTED, type TokenList } from './tokenList.ts';
import type { TokenListOrder } from './tokenOrder.ts';
import { SOON_DAYS } from './tokenFilters.ts';
import { toServiceFailure, ServiceFailure, withServerText } from '../service/failure/failure.ts';
import { tokenElsewhereProblem } from '../service/failure/redaction.ts';

/** @param server Name of the connection. */
export function copiedTokenText(server: string, clearedAfterSeconds: number | undefined): string {
  return clearedAfterSeconds === undefined
    ? l10n.t('Access token copied from "{0}"', server)
    : l10n.t('Access token copied from "{0}"; the clipboard will be cleared in {1} s', server, clearedAfterSeconds);
}

/** @param ahead Rows left, from the server; undefined if its count is unreliable. */
export function loadMoreText(ahead: TokenList['remainingRows'], locale: string): string {
  if (ahead === undefined) {
    return l10n.t('Load More');
  }
  const { number } = formatsOf(locale);
  return l10n.t('Load {0} More ({1} left)', number(ahead.next), number(ahead.left));
}

/** Says how a list is arranged that has only some of the tokens. Empty if that needs no words. */
export function arrangementText(arrangement: TokenList['arrangement'], order: TokenListOrder): string {
  if (order !== 'expiry' || arrangement === 'whole') {
    return '';
  }
  return arrangement === 'soonFirst'
    ? l10n.t('expiring within {0} days first', SOON_DAYS)
    : l10n.t("in the server's order");
}

/** "66", or "1,000 of 1,500" of a list that was cut. */
export function tokenCountText(list: TokenList, count: number): string {
  if (!list.isLoaded) {
    return list.isLoading ? l10n.t('loading…') : '';
  }
  const { number } = formatsOf(language());
  const { total, readSoFar } = list;
  return total > count && readSoFar === undefined ? l10n.t('{0} of {1}', number(count), number(total)) : number(count);
}

/** Says which tokens can't be listed. */
export function limitText(locale: string): string {
  return l10n.t('Only the first {0} are listed. Filter by user or date.', formatsOf(locale).number(MOST_LISTED));
}

/** Says why a list is empty, as far as that is known: a partial list proves nothing. */
export function emptyListText(list: Pick<TokenList, 'readSoFar' | 'query' | 'isPartial'>): string {
  const { query, readSoFar, isPartial } = list;
  if (readSoFar !== undefined || isPartial) {
    return l10n.t('No matches in the access tokens loaded so far');
  }
  return query.filters.length > 0 ? l10n.t('No matching access tokens') : l10n.t('No access tokens');
}

/** A bug of ours proves nothing about the server: look the change up, and never retry it. */
export function mutationFailure(thrown: unknown): ServiceFailure {
  return thrown instanceof ServiceFailure
    ? thrown
    : toServiceFailure(thrown).with({ mayHaveActed: true, next: undefined });
}

export interface FailedRevocation {
  /** The token's name in a sentence. */
  readonly label: string;
  readonly failure: ServiceFailure;
  /** False if refreshing the tree wouldn't show whether it is gone. */
  readonly isListed: boolean;
}

/** Combines failures into one. @param asked Number of tokens to revoke. @param server Name of the connection. */
export function revocationFailure(
  failed: readonly [FailedRevocation, ...FailedRevocation[]],
  asked: number,
  server: string,
): ServiceFailure {
  const [first] = failed;
  const nextIfUnknown = lookUpAdvice(failed);
  if (failed.length > 1) {
    const unknown = failed.some(({ failure }) => failure.mayHaveActed);
    const what = unknown
      ? l10n.t(
          '{0} of {1} access tokens weren\'t revoked on "{2}", or the result is unknown',
          failed.length,
          asked,
          server,
        )
      : l10n.t('{0} of {1} access tokens weren\'t revoked on "{2}"', failed.length, asked, server);
    const all = first.failure.because(
      what,
      failed.map((one) => l10n.t('"{0}": {1}', one.label, failureReason(one.failure))).join(' '),
    );
    // The sentence has each reason. Separate facts would only describe the first failure.
    const next = unknown ? nextIfUnknown : all.next;
    return all.with({ serverText: undefined, mayHaveActed: unknown, next });
  }
  const { label, failure } = first;
  return failure.mayHaveActed
    ? failure
        .because(l10n.t('"{0}" may or may not have been revoked on "{1}"', label, server), failureReason(failure))
        .with({ next: nextIfUnknown })
    : failure.because(l10n.t('"{0}" wasn\'t revoked on "{1}"', label, server), failureReason(failure));
}

/** The next step after revocations with an unknown result. */
function lookUpAdvice(failed: readonly FailedRevocation[]): string {
  if (failed.every(({ isListed }) => isListed)) {
    return l10n.t('Refresh the tokens in a moment, then revoke any that are still there.');
  }
  return l10n.t('Look up each token with "Inspect Access Token", and revoke it again if it\'s still there.');
}

/** Some sentences already quote the server. */
function failureReason({ message, serverText }: ServiceFailure): string {
  return serverText !== undefined && message.includes(serverText) ? message : withServerText(message, serverText);
}

/** In characters: the prompt of an input box ends after a thousand. */
const ROOM_FOR_NAMES = 500;

/**
 * `"nightly", "img" (jdoe); "ci" (admin)`, with names shortened until all of them fit into a prompt.
 * @param tokens `user`: empty if unknown.
 */
export function namesByUser(tokens: readonly { readonly name: string; readonly user: string }[]): string {
  const byUser = Map.groupBy(tokens, ({ user }) => user);
  const longest = Math.floor(ROOM_FOR_NAMES / (tokens.length + byUser.size));
  return [...byUser]
    .map(([user, own]) => {
      const names = own.map(({ name }) => l10n.t('"{0}"', withBothEnds(name, longest))).join(', ');
      return user === '' ? names : l10n.t('{0} ({1})', names, withBothEnds(user, longest));
    })
    .join('; ');
}

/** Limits of the service's own page. */
const LONGEST_NAME = 50;
const LONGEST_DESCRIPTION = 500;

/** Why a text can't be a name; undefined if it can. */
export function tokenNameProblem(text: string): string | undefined {
  return tokenElsewhereProblem(text) ?? lengthProblem(text, 1, LONGEST_NAME);
}

/** Why a text can't be a description; undefined if it can. */
export function tokenDescriptionProblem(text: string): string | undefined {
  return tokenElsewhereProblem(text) ?? lengthProblem(text, 0, LONGEST_DESCRIPTION);
}

function lengthProblem(text: string, least: number, most: number): string | undefined {
  const { length } = text.trim();
  if (length < least) {
    return l10n.t('Enter a value.');
  }
  return length > most ? l10n.t('At most {0} characters. You entered {1}.', most, length) : undefined;
}
