/**
 * Recorded exchanges in readable files (`wire/*.http`): notes, then each request with its response, separated by
 * `###`. Placeholders such as `<ME>` stand for values that differ between servers. Some notes are read:
 *
 *     # Stand-in: 1.6 by analyst, next by analyst
 *     # Fact filter: {"spelling":"values","hasCondition":true,"hasAbsence":true}
 *     # Fact creation, assumed: {"inputType":"CreateAccessTokenInput"}
 *     # Failure of listAccessTokens: {"kind":"signedOut","serverText":null}
 *     # No claim: It deletes rows.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { profiles, type ProfileName } from '../../../service/profiles.ts';
import { userNames, type UserName } from '../../../service/users.ts';

export interface WireRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A local service that must answer the same requests in the same shape, by the note `Stand-in:`. */
export interface StandIn {
  readonly profile: ProfileName;
  readonly user: UserName;
  /** Created before the exchange. */
  readonly given: 'token' | 'lasting token' | 'task' | undefined;
  /** Sends a token that the service doesn't know. */
  readonly withMadeUpToken: boolean;
  /** Without authentication, or with it; undefined: as in the profile. */
  readonly authentication: boolean | undefined;
  readonly introspection: boolean;
  readonly throughFront: boolean;
  /** Path of its operations, if it differs from the fixture's. */
  readonly operationsPath: string | undefined;
}

/** Expected result of an exchange. */
export interface WireResult {
  /** `assumption`: a fact that the client assumes for one session, since the server doesn't say. */
  readonly kind: 'fact' | 'assumption' | 'failure';
  /** The fact that is asked for, or the operation that fails. */
  readonly of: string;
  /** The fact, or what is to be known of the failure. */
  readonly json: string;
}

export interface WireFixture {
  readonly name: string;
  /** Those for people: what it is, and how it is known. */
  readonly notes: readonly string[];
  readonly standIns: readonly StandIn[];
  /** In the order of the requests. Empty: `cases.ts` has the call and its result. */
  readonly results: readonly WireResult[];
  /** Why no claim of `npm run conformance` covers the exchange. */
  readonly noClaim: string | undefined;
  readonly exchanges: readonly { readonly request: WireRequest; readonly response: WireResponse }[];
}

/** Values of placeholders. */
export type PlaceholderValues = Readonly<Record<'ACCESS_TOKEN' | 'ME' | 'TOKEN_ID' | 'TASK_ID', string>>;

const folder = new URL('wire/', import.meta.url);
const STAND_IN =
  /^(?<profile>\S+)(?<off> without introspection)? by (?<user>\w+)(?: with a (?<given>token|lasting token|task))?(?<stranger> with a made-up token)?(?<open> without authentication)?(?: at (?<path>\/\S+))?(?<front> through the front)?$/;

const READ_NOTE = /^(?:Stand-in|No claim|Fact \w+(?:, assumed)?|Failure of \w+): /;
const RESULT = /^(?:Fact (?<fact>\w+)(?<assumed>, assumed)?|Failure of (?<failed>\w+)): (?<json>.+)$/;

/** All fixtures, by name. */
export function wireFixtures(): ReadonlyMap<string, WireFixture> {
  const names = readdirSync(folder).map((file) => file.replace(/\.http$/, ''));
  return new Map(
    names.map((name) => [name, parseFixture(name, readFileSync(new URL(`${name}.http`, folder), 'utf8'))]),
  );
}

/** The fixture with its placeholders filled in. */
export function filled(fixture: WireFixture, values: PlaceholderValues): WireFixture {
  const fill = (text: string): string =>
    text.replace(/<(ACCESS_TOKEN|ME|TOKEN_ID|TASK_ID)>/g, (_, name: keyof PlaceholderValues) => values[name]);
  return {
    ...fixture,
    results: fixture.results.map((result) => ({ ...result, json: fill(result.json) })),
    exchanges: fixture.exchanges.map(({ request, response }) => ({
      request: {
        ...request,
        path: fill(request.path),
        headers: mapValues(request.headers, fill),
        body: fill(request.body),
      },
      response: { ...response, body: fill(response.body) },
    })),
  };
}

function parseFixture(name: string, text: string): WireFixture {
  const [head = '', ...rest] = text.split(/\n\n/);
  const notes = head.split('\n').map((line) => line.replace(/^# ?/, ''));
  const exchanges = rest
    .join('\n\n')
    .split(/^###\n/m)
    .map((exchange) => {
      const at = exchange.search(/^HTTP\/1\.1 /m);
      return { request: parseRequest(exchange.slice(0, at)), response: parseResponse(exchange.slice(at)) };
    });
  const saying = (word: string): string[] =>
    notes.filter((note) => note.startsWith(`${word}: `)).map((note) => note.slice(word.length + 2));
  return {
    name,
    notes: notes.filter((note) => !READ_NOTE.test(note)),
    standIns: saying('Stand-in').flatMap((all) => all.split(', ').map(parseStandIn)),
    results: notes.flatMap(parseResult),
    noClaim: saying('No claim')[0],
    exchanges,
  };
}

function parseResult(note: string): readonly WireResult[] {
  const { fact, assumed, failed, json = '' } = RESULT.exec(note)?.groups ?? {};
  if (fact !== undefined) {
    return [{ kind: assumed === undefined ? 'fact' : 'assumption', of: fact, json }];
  }
  return failed === undefined ? [] : [{ kind: 'failure', of: failed, json }];
}

function parseRequest(text: string): WireRequest {
  const { first, headers, body } = parseMessage(text);
  const [method = '', path = ''] = first.split(' ');
  return { method, path, headers, body };
}

function parseResponse(text: string): WireResponse {
  const { first, headers, body } = parseMessage(text);
  return { status: Number(first.split(' ')[1]), headers, body };
}

function parseMessage(text: string): { first: string; headers: Record<string, string>; body: string } {
  const [head = '', ...body] = text.trim().split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { first, headers, body: body.join('\n\n') };
}

function parseStandIn(text: string): StandIn {
  const { profile, user, given, path, front, off, stranger, open } = STAND_IN.exec(text)?.groups ?? {};
  const knownUser = userNames.find((name) => name === user);
  if (profile === undefined || !(profile in profiles) || knownUser === undefined) {
    throw new Error(`not a stand-in: ${text}`);
  }
  return {
    profile: profile as ProfileName,
    user: knownUser,
    given: given as StandIn['given'],
    withMadeUpToken: stranger !== undefined,
    authentication: open === undefined ? (stranger === undefined ? undefined : true) : false,
    introspection: off === undefined,
    throughFront: front !== undefined,
    operationsPath: path,
  };
}

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
