/** Actor identifiers (spec §2: `urn:li:corpuser:<user_id>`). */
import { l10n } from './words.ts';

const USER_PREFIX = 'urn:li:corpuser:';

/**
 * A bare id or a URN as the URN, or what is wrong. It becomes a header's value, so nothing but visible ASCII is let through
 * (Node.js would refuse the rest only when the request is sent), and neither is a comma, which some proxies split headers at.
 */
export function checkActor(text: string): { readonly actorUrn: string } | { readonly problem: string } {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === USER_PREFIX) {
    return { problem: l10n.t('Enter your user id, for example jdoe, or the whole URN.') };
  }
  if (/^urn:/i.test(trimmed) && !trimmed.startsWith(USER_PREFIX)) {
    return { problem: l10n.t('A user is named as {0}<user id>.', USER_PREFIX) };
  }
  const id = trimmed.startsWith(USER_PREFIX) ? trimmed.slice(USER_PREFIX.length) : trimmed;
  if (!/^[\x21-\x7E]+$/.test(id) || /[,()]/.test(id) || id.length > 256) {
    return {
      problem: l10n.t('A user id holds no spaces, commas, parentheses or accented letters; percent-encode them as the service does.'),
    };
  }
  return { actorUrn: USER_PREFIX + id };
}

/** The id of a user's URN, for people; any other URN as it is. */
export function shortActor(urn: string): string {
  return urn.startsWith(USER_PREFIX) ? urn.slice(USER_PREFIX.length) : urn;
}
