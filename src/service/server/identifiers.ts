/**
 * Ids and URNs are the server's: they are taken as they are and sent back as they are, whatever letters they are made of. Only
 * what can be no id at all is refused.
 */
import * as v from 'valibot';
import { containsToken } from '../failure/redaction.ts';
import * as l10n from '@vscode/l10n';

const LONGEST_ID = 1_000;
/** Control characters, line breaks, and halves of characters, which no encoding carries. */
const FORBIDDEN_IN_ID = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

export function isIdentifier(text: string, longest = LONGEST_ID): boolean {
  return text.trim() !== '' && text.length <= longest && !FORBIDDEN_IN_ID.test(text);
}

/** Taken as it is or not at all. */
export const IDENTIFIER = v.pipe(
  v.string(),
  v.check((text) => isIdentifier(text)),
);

/**
 * One that is stored: never where it holds an access token, which a server may give back as whatever it likes. Such a one is taken as
 * not told.
 */
export const STORED_IDENTIFIER = v.pipe(
  IDENTIFIER,
  v.check((text) => !containsToken(text)),
);

/**
 * An id as a header's value: what is not visible ASCII is percent-encoded, since the fetch of every runtime and many proxies let
 * nothing else through. Servers do not decode it: one that authenticates by the header alone knows such a user by that name, and
 * every other one goes by the token. A percent sign stays as it is, or an id that holds one would become another.
 */
export function toHeaderValue(id: string): string {
  return id.toWellFormed().replaceAll(/[^\x21-\x7E]/gu, encodeURIComponent);
}

const USER_PREFIX = 'urn:li:corpuser:';
/** Servers keep URNs of about so many characters. */
const LONGEST_URN = 500;

type ActorCheck = { readonly actorUrn: string } | { readonly problem: string };

/** A bare id or a URN as the URN, or what is wrong. The id is the server's: every letter, space and sign may stand in it. */
export function parseActorUrn(text: string): ActorCheck {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === USER_PREFIX) {
    return { problem: l10n.t('Enter your user ID (for example jdoe) or full URN.') };
  }
  if (/^urn:/i.test(trimmed) && !trimmed.startsWith(USER_PREFIX)) {
    return { problem: l10n.t('User URNs look like {0}<user ID>.', USER_PREFIX) };
  }
  return checkActorUrn(trimmed.startsWith(USER_PREFIX) ? trimmed : USER_PREFIX + trimmed);
}

/** What the user may type: the same, unless it is an access token that was pasted into the wrong field. */
export function checkTypedActor(text: string): ActorCheck {
  return containsToken(text)
    ? { problem: l10n.t('This looks like an access token, not a user ID.') }
    : parseActorUrn(text);
}

/** Whom a filter is about: a bare id is a user's, any whole URN is taken as it is. */
export function checkFilteredActor(text: string): ActorCheck {
  const trimmed = text.trim();
  return /^urn:li:\w+:./.test(trimmed) && !containsToken(text) ? checkActorUrn(trimmed) : checkTypedActor(text);
}

/**
 * The id of a user's URN, for people, where typing it means that user again; else the URN as it is.
 */
export function shortActorName(urn: string): string {
  const id = urn.slice(USER_PREFIX.length);
  const typed = parseActorUrn(id);
  return 'actorUrn' in typed && typed.actorUrn === urn ? id : urn;
}

function checkActorUrn(urn: string): ActorCheck {
  if (urn.length > LONGEST_URN) {
    return { problem: l10n.t('User URNs can have at most {0} characters; this one has {1}.', LONGEST_URN, urn.length) };
  }
  return isIdentifier(urn)
    ? { actorUrn: urn }
    : { problem: l10n.t("A user ID can't contain line breaks or control characters.") };
}
