/**
 * Headers that something in front of the server asks for, such as Cloudflare Access or an identity-aware proxy. Their
 * values are secret, and go to the connection's origin alone, with every request.
 */
import * as l10n from '@vscode/l10n';
import type { Connection } from './connection.ts';

/** Values by name, as typed. */
export type AdditionalHeaders = Readonly<Record<string, string>>;

const MOST_HEADERS = 10;
/** In characters. */
const LONGEST_NAME = 100;
const LONGEST_VALUE = 8_192;

/** A token of RFC 9110 §5.6.2. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Those that are sent anyway, name the user, or steer the connection itself. */
const RESERVED =
  /^(?:accept(?:-.*)?|authorization|connection|content-.*|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent|x-.*-actor|x-restli-.*)$/i;

/** Why a header can't be sent. Undefined if it can. */
function headerProblem(name: string, value: string): string | undefined {
  if (!NAME.test(name) || name.length > LONGEST_NAME) {
    return l10n.t('Enter it as Name: value, as in CF-Access-Client-Id: 0123abcd');
  }
  if (RESERVED.test(name)) {
    return l10n.t("The header {0} can't be added: this extension sets it, or the connection itself uses it.", name);
  }
  if (!/^[\x20-\x7E]*$/.test(value)) {
    return l10n.t("Values of headers can't contain line breaks or accented characters.");
  }
  return value.length > LONGEST_VALUE ? l10n.t('Too long to be the value of a header.') : undefined;
}

type Added = { readonly headers: AdditionalHeaders } | { readonly problem: string };

/**
 * Adds a typed header, or replaces the one of the same name. Without a value, removes it.
 * @param text `Name: value`.
 */
export function withHeader(headers: AdditionalHeaders, text: string): Added {
  const [, name = '', value = ''] = /^\s*([^:\s]*)\s*:\s*(.*?)\s*$/s.exec(text) ?? [];
  const problem = headerProblem(name, value);
  if (problem !== undefined) {
    return { problem };
  }
  const others = Object.entries(headers).filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  if (value !== '' && others.length >= MOST_HEADERS) {
    return { problem: l10n.t('At most {0} headers can be added.', MOST_HEADERS) };
  }
  return { headers: Object.fromEntries(value === '' ? others : [...others, [name, value]]) };
}

/** Says of what is handed to another program that they aren't in it. Nothing if there are none. */
export function headersLeftOut({ signIn }: Pick<Connection, 'signIn'>): readonly string[] {
  const { headerNames = [] } = signIn ?? {};
  return headerNames.length === 0
    ? []
    : [l10n.t("This connection's additional headers aren't included: {0}.", headerNames.join(', '))];
}

/** Those of a file's mapping that can be sent, and the names of the others. */
export function importedHeaders(mapping: object): {
  readonly headers: AdditionalHeaders;
  readonly refused: readonly string[];
} {
  let headers: AdditionalHeaders = {};
  const refused: string[] = [];
  for (const [name, value] of Object.entries(mapping)) {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    const added = withHeader(headers, `${name}: ${text}`);
    if (text === '' || 'problem' in added) {
      refused.push(name);
    } else {
      ({ headers } = added);
    }
  }
  return { headers, refused };
}
