/**
 * IDs and URNs belong to the server: they are stored and sent back unchanged, in any script.
 * Only impossible ones are refused.
 */
import * as v from 'valibot';
import { containsToken, idContainsToken, tokenElsewhereProblem } from '../failure/redaction.ts';
import * as l10n from '@vscode/l10n';

const LONGEST_ID = 1_000;

function isIdentifier(text: string): boolean {
  return text.trim() !== '' && text.length <= LONGEST_ID && !hasForbiddenCharacter(text);
}

/** Control characters, line breaks, and unpaired surrogates, which no encoding carries. */
function hasForbiddenCharacter(text: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(text);
}

/** Accepted unchanged or not at all. */
export const IDENTIFIER = v.pipe(v.string(), v.check(isIdentifier));

/** For storage. Rejected if it holds an access token, which a server may echo anywhere. */
export const STORED_IDENTIFIER = v.pipe(
  IDENTIFIER,
  v.check((text) => !idContainsToken(text)),
);

/**
 * Percent-encodes everything but visible ASCII, as every runtime's fetch and many proxies require.
 * Servers don't decode it: one that authenticates by the header alone knows the user by that name.
 * A percent sign stays, or an ID with one would become another.
 */
export function toHeaderValue(id: string): string {
  return id.toWellFormed().replaceAll(/[^\x21-\x7E]/gu, encodeURIComponent);
}

const USER_PREFIX = 'urn:li:corpuser:';
/** In characters, about the limit of servers. */
const LONGEST_URN = 500;

type ActorCheckResult = { readonly actorUrn: string } | { readonly problem: string };

/** Turns a bare ID or a URN into a URN. The server decides on IDs: any letter, space or sign is possible. */
export function parseActorUrn(text: string): ActorCheckResult {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === USER_PREFIX) {
    return { problem: l10n.t('Enter a user ID (for example jdoe) or full URN.') };
  }
  if (/^urn:/i.test(trimmed) && !trimmed.startsWith(USER_PREFIX)) {
    return { problem: l10n.t('User URNs look like {0}<user ID>.', USER_PREFIX) };
  }
  return checkActorUrn(trimmed.startsWith(USER_PREFIX) ? trimmed : USER_PREFIX + trimmed);
}

/** The URN of a user as it is stored; undefined for any other text. */
export function storedActorUrn(urn: string | undefined): string | undefined {
  const checked = parseActorUrn(urn ?? '');
  return 'actorUrn' in checked && checked.actorUrn === urn ? urn : undefined;
}

/** As `parseActorUrn` for typed text, but rejects an access token that was pasted into the wrong field. */
export function checkTypedActor(text: string): ActorCheckResult {
  const problem = tokenElsewhereProblem(text);
  return problem === undefined ? parseActorUrn(text) : { problem };
}

/** Checks the user of a filter. A bare ID is a user's; any whole URN is accepted. */
export function checkFilteredActor(text: string): ActorCheckResult {
  const trimmed = text.trim();
  return /^urn:li:\w+:./.test(trimmed) && !containsToken(text) ? checkActorUrn(trimmed) : checkTypedActor(text);
}

/** Shortens a user URN to its ID for display, if typing the ID gives that URN again. */
export function shortActorName(urn: string): string {
  const id = urn.slice(USER_PREFIX.length);
  const typed = parseActorUrn(id);
  return 'actorUrn' in typed && typed.actorUrn === urn ? id : urn;
}

function checkActorUrn(urn: string): ActorCheckResult {
  if (urn.length > LONGEST_URN) {
    return { problem: l10n.t('User URNs can have at most {0} characters; this one has {1}.', LONGEST_URN, urn.length) };
  }
  return isIdentifier(urn)
    ? { actorUrn: urn }
    : { problem: l10n.t("A user ID can't contain line breaks or control characters.") };
}
