/**
 * Recorded exchanges in readable files (`wire/*.http`): notes, then each request with its response, separated by
 * `###`. Placeholders such as `<ME>` stand for values that differ between servers.
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
  /** It refuses durations in the first of the two wordings. */
  readonly inEarlyWords: boolean;
  /** Path of its operations, if it differs from the fixture's. */
  readonly operationsPath: string | undefined;
}

export interface WireFixture {
  readonly name: string;
  readonly notes: readonly string[];
  readonly standIns: readonly StandIn[];
  readonly exchanges: readonly { readonly request: WireRequest; readonly response: WireResponse }[];
}

/** Values of placeholders. */
export type PlaceholderValues = Readonly<Record<'ACCESS_TOKEN' | 'ME' | 'TOKEN_ID' | 'TASK_ID', string>>;

const folder = new URL('wire/', import.meta.url);
const STAND_IN =
  /^(?<profile>\S+)(?<off> without introspection)? by (?<user>\w+)(?: with a (?<given>token|lasting token|task))?(?<stranger> with a made-up token)?(?<open> without authentication)?(?: at (?<path>\/\S+))?(?<front> through the front)?(?<early> in early words)?$/;

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
  const standIns = notes.flatMap((note) =>
    note.startsWith('Stand-in: ') ? note.slice('Stand-in: '.length).split(', ').map(parseStandIn) : [],
  );
  return { name, notes: notes.filter((note) => !note.startsWith('Stand-in: ')), standIns, exchanges };
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
  const { profile, user, given, path, front, early, off, stranger, open } = STAND_IN.exec(text)?.groups ?? {};
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
    inEarlyWords: early !== undefined,
    operationsPath: path,
  };
}

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
