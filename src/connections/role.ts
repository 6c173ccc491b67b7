/** What a server is used for, as a person said. It decides how much is asked before something is destroyed there, and whether anything may be. */
import * as v from 'valibot';

/** From the laxest to the strictest. */
export const ROLES = ['development', 'production', 'readOnly'] as const;
export type Role = (typeof ROLES)[number];

/**
 * As it is stored. A role that only a later version knows is taken for the strictest: nothing changes on that server through this
 * version until a person says so.
 */
export const ROLE = v.optional(v.fallback(v.picklist(ROLES), 'readOnly'));

/** Where no role was chosen, as in connections of 0.1.0, nothing more is asked than for development. */
type Chosen = Role | undefined;

/** Whether more would be possible, or possible with less asked, than before. */
export function isLaxer(role: Chosen, than: Chosen): boolean {
  return strictnessOf(role) < strictnessOf(than);
}

/**
 * The role to store with a change that took its time: one that was changed meanwhile, here or in another window, is never undone by
 * something laxer.
 * @param read The role when the change began. @param now The one that is stored by now.
 */
export function roleToStore(mine: Chosen, read: Chosen, now: Chosen): Chosen {
  return now === read ? mine : stricterOf(mine, now);
}

export function stricterOf(one: Chosen, other: Chosen): Chosen {
  return isLaxer(one, other) ? other : one;
}

function strictnessOf(role: Chosen): number {
  return role === undefined ? 0 : ROLES.indexOf(role);
}

/** A role that is proposed, never chosen, and the word of the name or address that speaks for it. */
export interface SuggestedRole {
  readonly role: 'development' | 'production';
  readonly because: string;
}

const PRODUCTION = /^(?:prod|prd|production|live)\d*$/;
const DEVELOPMENT =
  /^(?:dev|devel|development|test|tests|testing|tst|stage|staging|stg|qa|uat|sandbox|demo|preview|local|localhost|preprod|nonprod|preproduction|nonproduction)\d*$/;
const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * What a connection's name and address say. Where they disagree it is production, as for a tunnel: asking once too often costs less.
 * @param connection `baseUrl` as `checkBaseUrl` gives it.
 */
export function suggestRole({
  name,
  baseUrl,
}: {
  readonly name: string;
  readonly baseUrl: string;
}): SuggestedRole | undefined {
  const { hostname } = new URL(baseUrl);
  const words = [...wordsIn(name), ...wordsIn(hostname)];
  const production = words.find((word) => PRODUCTION.test(word));
  if (production !== undefined) {
    return { role: 'production', because: production };
  }
  const development = words.find((word) => DEVELOPMENT.test(word)) ?? (LOOPBACK.test(hostname) ? hostname : undefined);
  return development === undefined ? undefined : { role: 'development', because: development };
}

/** "myProd-EU" is my, prod, eu; "pre-prod" is one word: what comes before the real thing. */
function wordsIn(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/\b(pre|non)[-_. ]+(?=prod)/g, '$1')
    .split(/[^\p{L}\p{N}]+/u);
}
