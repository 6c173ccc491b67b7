/**
 * Headers that something in front of the server asks for, such as Cloudflare Access or an identity-aware proxy. Their
 * values are secret, and go to the connection's origin alone, with every request.
 */
import * as l10n from '@vscode/l10n';
import { tokenElsewhereProblem } from '../service/failure/redaction.ts';
import type { AdditionalHeaders } from '../service/http/transport.ts';
import type { Connection } from './connection.ts';

export interface TypedHeader {
  readonly name: string;
  /** Empty to remove the header. */
  readonly value: string;
}

const MOST_HEADERS = 10;
/** In characters. */
const LONGEST_NAME = 100;
const LONGEST_VALUE = 8_192;

/** A token of RFC 9110 §5.6.2. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Those that are sent anyway, name the user or another method, or steer the connection itself. */
const RESERVED =
  /^(?:accept(?:-.*)?|authorization|connection|content-.*|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent|x-.*-actor|x-http-method.*|x-method-override|x-restli-.*|__proto__)$/i;

/** The front end's own session: it takes these before an access token. */
const SESSION_COOKIE = /(?:^|;)\s*(?:PLAY_SESSION|actor)\s*=/;

/** @param text `Name: value`. A name without a dash needs the space, or `user:password` would be one. */
export function parseHeader(text: string): TypedHeader | undefined {
  const [, name, space, value = ''] = /^\s*([^:\s]+)\s*:(\s*)(.*?)\s*$/s.exec(text) ?? [];
  const isMeant = name?.includes('-') === true || space !== '' || value === '';
  return name === undefined || !isMeant ? undefined : { name, value };
}

/** Why a header can't be added to others, or removed. Undefined if it can. */
export function headerProblem(headers: AdditionalHeaders, header: TypedHeader | undefined): string | undefined {
  const { name, value } = header ?? { name: '', value: '' };
  if (!NAME.test(name) || name.length > LONGEST_NAME) {
    return l10n.t('Enter it as Name: value, as in CF-Access-Client-Id: 0123abcd');
  }
  if (RESERVED.test(name)) {
    return l10n.t("The header {0} is reserved and can't be added.", name);
  }
  if (/^cookie$/i.test(name) && SESSION_COOKIE.test(value)) {
    return l10n.t("This cookie is a session of the server's web front end. Enter an access token instead.");
  }
  if (!/^[\x20-\x7E]*$/.test(value)) {
    return l10n.t("Values of headers can't contain line breaks or accented characters.");
  }
  if (value.length > LONGEST_VALUE) {
    return l10n.t('Too long to be the value of a header.');
  }
  const others = othersThan(name, headers).length;
  if (value === '' && others === Object.keys(headers).length) {
    return l10n.t('Enter a value: there is no header {0} to remove.', name);
  }
  return value !== '' && others >= MOST_HEADERS
    ? l10n.t('At most {0} headers can be added.', MOST_HEADERS)
    : tokenElsewhereProblem(name);
}

/** Adds a header, replaces the one of its name, or removes that. */
export function withHeader(headers: AdditionalHeaders, { name, value }: TypedHeader): AdditionalHeaders {
  const others = othersThan(name, headers);
  return Object.fromEntries(value === '' ? others : [...others, [name, value]]);
}

function othersThan(name: string, headers: AdditionalHeaders): [string, string][] {
  return Object.entries(headers).filter(([other]) => other.toLowerCase() !== name.toLowerCase());
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
  for (const [name, given] of Object.entries(mapping)) {
    const value = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
    if (value === '' || headerProblem(headers, { name, value }) !== undefined) {
      refused.push(name);
    } else {
      headers = withHeader(headers, { name, value });
    }
  }
  return { headers, refused };
}
