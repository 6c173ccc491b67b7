/** Checks and normalizes a pasted server address. */
import * as l10n from '@vscode/l10n';

/** `baseUrl`: origin and base path, without a trailing slash, `https://host:8080/datahub`. */
type BaseUrlCheckResult = { readonly baseUrl: string } | { readonly problem: string };

/** Paths of the interface itself, often pasted with the address (PROTOCOL.md §2.2, §2.3). */
const INTERFACE_PATH =
  /\/(?:api\/(?:v2\/)?graphql|api\/gms(?:\/operations)?|gms\/operations|gms|operations|api\/graphiql)\/?$/i;

/** In characters. Servers and proxies accept no longer ones. */
export const LONGEST_ADDRESS = 2_000;

/** Characters of a parsed host. A stray quotation mark or comma would lead to another host. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** Adds a missing scheme and removes a trailing slash or an interface path. */
export function checkBaseUrl(text: string): BaseUrlCheckResult {
  const trimmed = text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    return { problem: l10n.t('Addresses start with https:// or http://, not {0}://.', scheme) };
  }
  const url =
    trimmed.length > LONGEST_ADDRESS
      ? undefined
      : parseTypedUrl(scheme === undefined ? `${defaultScheme(trimmed)}://${trimmed}` : trimmed);
  if (url === undefined || /[\s\\]/.test(trimmed) || !isIntendedHost(url, scheme)) {
    return {
      problem: l10n.t('Not a valid address. Example: https://datahub.example.com:8080'),
    };
  }
  if (url.username !== '' || url.password !== '') {
    return {
      problem: l10n.t('Remove the user name and password. An access token is entered on its own.'),
    };
  }
  const isInterfacePath = INTERFACE_PATH.test(url.pathname);
  if ((url.search !== '' || url.hash !== '') && !isInterfacePath) {
    return { problem: l10n.t('Remove everything after ? or # in the address.') };
  }
  const path = url.pathname.replace(INTERFACE_PATH, '').replace(/\/+$/, '');
  return { baseUrl: url.origin + path };
}

/**
 * Hosts that never leave this machine. VS Code sends others, even 127.0.0.2, through the configured proxy.
 * Names below localhost are excluded: not every resolver keeps them local (RFC 6761 §6.3).
 */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);

export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.has(hostname.toLowerCase());
}

/** The host of a service on this machine as lists of exceptions for a proxy have it; undefined for another machine. */
export function loopbackHost(address: string): string | undefined {
  const { hostname } = new URL(address);
  return isLoopbackHost(hostname) ? hostname.replace(/[[\]]/g, '') : undefined;
}

/**
 * Hosts that may be this machine: for questions whose safe answer is yes, while `isLoopbackHost` says it only if sure.
 * The other end of a tunnel can be any server.
 */
const MAYBE_LOOPBACK =
  /^(?:(?:.+\.)?(?:localhost\d?(?:\.localdomain\d?)?|(?:host|gateway)\.docker\.internal)|(?:0|127)(?:\.\d+){3}|\[::.*\])$/;

/** @param hostname As `URL` returns it, so that 127.1 and 0x7f000001 are 127.0.0.1. */
export function mayBeLoopbackHost(hostname: string): boolean {
  return MAYBE_LOOPBACK.test(hostname.toLowerCase().replace(/\.+$/, ''));
}

/** In `https:/host`, `http//host` and `https://https://host`, the scheme would become the host and get the token. */
function isIntendedHost({ hostname, pathname }: URL, typedScheme: string | undefined): boolean {
  const isScheme = /^https?$/.test(hostname) && (typedScheme === undefined || pathname.startsWith('//'));
  return HOST.test(hostname) && !isScheme;
}

/** A local server seldom has TLS; any other should. */
function defaultScheme(address: string): 'http' | 'https' {
  const url = parseTypedUrl(`http://${address}`);
  return url !== undefined && isLoopbackHost(url.hostname) ? 'http' : 'https';
}

function parseTypedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * Percent-encodes everything that a shell might interpret. cURL would also expand brackets in a path into
 * several requests. The host is parsed already.
 */
export function shellSafeAddress(url: string): string {
  const { origin } = new URL(url);
  const path = url
    .slice(origin.length)
    .replace(
      /%(?![0-9a-f]{2})|[^\w.~:/%-]/gi,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    );
  return origin + path;
}

const QUOTED = /^(?:(["'`])(.*)\1|“(.*)”|<(.*)>)$/;

/** The text without the quotation marks or angle brackets around it, and without blanks at its ends. */
export function withoutQuotes(text: string): string {
  const line = text.trim();
  const [, , inPlainQuotes, inQuotes, inBrackets] = QUOTED.exec(line) ?? [];
  return (inPlainQuotes ?? inQuotes ?? inBrackets ?? line).trim();
}
