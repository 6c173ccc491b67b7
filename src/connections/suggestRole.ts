/** Suggests the role of a new connection by the words in its name and host. */
import { isLoopbackHost } from '../service/http/baseUrl.ts';

/** A proposed role, and the word that suggests it. */
interface RoleSuggestion {
  readonly role: 'development' | 'production';
  readonly because: string;
}

const PRODUCTION = /^(?:prod|prd|production|live)\d*$/;
const DEVELOPMENT_WORDS =
  'dev|devel|development|test|tests|testing|tst|stage|staging|stg|qa|uat|sandbox|demo|preview|local|localhost';
const DEVELOPMENT = new RegExp(String.raw`^(?:${DEVELOPMENT_WORDS}|(?:pre|non)prod(?:uction)?)\d*$`);
/** Top-level domains whose word says nothing of the server: of private networks, and a public one. */
const UNTELLING_DOMAIN = /\.(?:local|dev)$/;

/**
 * Suggests a role by the connection's name and host. Production wins, for example where a tunnel leads there
 * from this machine.
 * @param connection `baseUrl` as `checkBaseUrl` returns it.
 */
export function suggestRole({
  name,
  baseUrl,
}: {
  readonly name: string;
  readonly baseUrl: string;
}): RoleSuggestion | undefined {
  const { hostname } = new URL(baseUrl);
  const words = [...wordsInText(name), ...wordsInText(hostname.replace(UNTELLING_DOMAIN, ''))];
  const production = words.find((word) => PRODUCTION.test(word));
  if (production !== undefined) {
    return { role: 'production', because: production };
  }
  const development = words.find((word) => DEVELOPMENT.test(word)) ?? (isLoopbackHost(hostname) ? hostname : undefined);
  return development === undefined ? undefined : { role: 'development', because: development };
}

/** Splits "myProd-EU" into my, prod and eu. "pre-prod" and "non-prod" stay whole. */
function wordsInText(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/\b(pre|non)[-_. ]+(?=prod)/g, '$1')
    .split(/[^\p{L}\p{N}]+/u);
}
