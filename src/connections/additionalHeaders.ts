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

/** A token of RFC 9110 §5.6.2. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Those that are sent anyway, name the user or another method, or steer the connection itself. */
const RESERVED =
  /^(?:accept(?:-.*)?|authorization|connection|content-.*|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent|x-.*-actor|x-http-method.*|x-method-override|x-restli-.*|__proto__)$/i;

/** @param text `Name: value`. A name without a dash needs the space, or `user:password` would be one. */
export function parseHeader(text: string): TypedHeader | undefined {
  const [, name, space, value = ''] = /^\s*([^:\s]+)\s*:(\s*)(.*?)\s*$/s.exec(text) ?? [];
  const isMeant = name?.includes('-') === true || space !== '' || value === '';
  return name === undefined || !isMeant ? undefined : { name, value };
}

/** Why a header can't be added or removed. Undefined if it can. */
export function headerProblem(header: TypedHeader | undefined): string | undefined {
  const { name, value } = header ?? { name: '', value: '' };
  if (!NAME.test(name)) {
    return l10n.t('Enter a header as Name: value, for example CF-Access-Client-Id: 0123abcd.');
  }
  if (RESERVED.test(name)) {
    return l10n.t("The header {0} is reserved and can't be added.", name);
  }
  if (!/^[\x20-\x7E]*$/.test(value)) {
    return l10n.t("Header values can't contain line breaks or accented characters.");
  }
  return tokenElsewhereProblem(name);
}

/** Adds a header, replaces the one of its name, or removes that. */
export function withHeader(headers: AdditionalHeaders, { name, value }: TypedHeader): AdditionalHeaders {
  const others = Object.entries(headers).filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  return Object.fromEntries(value === '' ? others : [...others, [name, value]]);
}

/** Says of what is handed to another program that they aren't in it. Nothing if there are none. */
export function headersLeftOut({ signIn }: Pick<Connection, 'signIn'>): readonly string[] {
  const { headerNames = [] } = signIn ?? {};
  return headerNames.length === 0
    ? []
    : [l10n.t("This connection's additional headers aren't included: {0}.", headerNames.join(', '))];
}

/** Those of a file's mapping that can be sent. */
export function importedHeaders(mapping: object): AdditionalHeaders {
  let headers: AdditionalHeaders = {};
  for (const [name, given] of Object.entries(mapping)) {
    const value = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
    if (value !== '' && headerProblem({ name, value }) === undefined) {
      headers = withHeader(headers, { name, value });
    }
  }
  return headers;
}
