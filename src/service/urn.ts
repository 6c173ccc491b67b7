/** Actor identifiers (PROTOCOL.md §2.1: `urn:li:corpuser:<user id>`). */
import { holdsToken } from './failure/redaction.ts';
import { isIdentifier } from './identifier.ts';
import * as l10n from '@vscode/l10n';

const USER_PREFIX = 'urn:li:corpuser:';
/** Servers keep URNs of about so many characters. */
const LONGEST_URN = 500;

type Checked = { readonly actorUrn: string } | { readonly problem: string };

/** A bare id or a URN as the URN, or what is wrong. The id is the server's: every letter, space and sign may stand in it. */
export function readActor(text: string): Checked {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === USER_PREFIX) {
    return { problem: l10n.t('Enter your user ID (for example jdoe) or full URN.') };
  }
  if (/^urn:/i.test(trimmed) && !trimmed.startsWith(USER_PREFIX)) {
    return { problem: l10n.t('User URNs look like {0}<user ID>.', USER_PREFIX) };
  }
  return checked(trimmed.startsWith(USER_PREFIX) ? trimmed : USER_PREFIX + trimmed);
}

/** What the user may type: the same, unless it is an access token that was pasted into the wrong field. */
export function checkActor(text: string): Checked {
  return holdsToken(text) ? { problem: l10n.t('This looks like an access token, not a user ID.') } : readActor(text);
}

/** Whom a filter is about: a bare id is a user's, any whole URN is taken as it is. */
export function checkFilteredActor(text: string): Checked {
  const trimmed = text.trim();
  return /^urn:li:\w+:./.test(trimmed) && !holdsToken(text) ? checked(trimmed) : checkActor(text);
}

/**
 * The id of a user's URN, for people, where typing it means that user again; else the URN as it is.
 */
export function shortActor(urn: string): string {
  const id = urn.slice(USER_PREFIX.length);
  const typed = readActor(id);
  return 'actorUrn' in typed && typed.actorUrn === urn ? id : urn;
}

function checked(urn: string): Checked {
  if (urn.length > LONGEST_URN) {
    return { problem: l10n.t('User URNs can have at most {0} characters; this one has {1}.', LONGEST_URN, urn.length) };
  }
  return isIdentifier(urn)
    ? { actorUrn: urn }
    : { problem: l10n.t("A user ID can't contain line breaks or control characters.") };
}
