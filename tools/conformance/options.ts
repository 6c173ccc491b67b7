import { execArgv } from 'node:process';
import { parseArgs } from 'node:util';
import { checkBaseUrl, isLoopbackHost } from '../../src/service/http/baseUrl.ts';
import { containsToken } from '../../src/service/failure/redaction.ts';
import { productProblem } from '../../src/service/server/serverInfo.ts';
import { checkTypedActor } from '../../src/service/server/identifiers.ts';

/** Variable with the access token. An argument could be read by other users of the machine. */
export const TOKEN_VARIABLE = 'METADATA_SERVICE_TOKEN';

export const USAGE = `npm run --silent conformance -- --url URL [--read-only] [--all] [--names] [--actor USER] [--product NAME] [--plain-http]

Asks a server whether what the extension relies on is so, and prints a table for an issue.
The access token is read from ${TOKEN_VARIABLE}, or else from standard input. In bash and zsh:

  read -rs ${TOKEN_VARIABLE} && export ${TOKEN_VARIABLE}
  npm run --silent conformance -- --url URL > table.md

  --url URL       address of the service, or of its web front end
  --read-only     creates no token. Otherwise one is created for an hour, looked at and revoked
  --all           dry runs of all indices, not only of the first 25. No row is ever deleted
  --names         adds address, user, indices, counts and words of the server to the table
  --actor USER    who asks, if the server doesn't say
  --product NAME  in the header X-<NAME>-Actor, if the server doesn't say
  --plain-http    allows sending the token without encryption to another machine

Ctrl+C stops it: the created token is revoked, and the table has what was found until then.
NODE_USE_SYSTEM_CA=1 trusts the certificates of the operating system, NODE_USE_ENV_PROXY=1 uses the proxy in HTTPS_PROXY.

Ends with 0 if all claims hold, 1 if one differs, 2 if the server couldn't be asked, 3 if the created token couldn't
be revoked, 130 if it was stopped.`;

/** Limit of indices with dry runs, because more take a while on a large cluster. */
const MOST_INDICES = 25;

export interface ConformanceOptions {
  readonly baseUrl: string;
  readonly actorUrn: string | undefined;
  readonly product: string | undefined;
  readonly readOnly: boolean;
  readonly mostIndices: number;
  readonly names: boolean;
}

/** The arguments can't be used. The message never quotes them, since one may be a token. */
export class UsageError extends Error {}

/**
 * @returns undefined if the user asks for help
 * @throws UsageError
 */
export function conformanceOptions(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): ConformanceOptions | undefined {
  const values = valuesIn(args);
  if (values.help) return undefined;
  if (values.url === undefined) throw new UsageError('Name the server with --url.');
  if (containsToken(values.url)) {
    // A token would be looked up as a host name.
    throw new UsageError('--url: This looks like an access token, which is never an argument.');
  }
  const address = checkBaseUrl(values.url);
  if ('problem' in address) {
    throw new UsageError(`--url: ${address.problem}`);
  }
  const { protocol, hostname } = new URL(address.baseUrl);
  if (protocol === 'http:' && !isLoopbackHost(hostname) && !values['plain-http'])
    throw new UsageError('The token would be sent without encryption. Use https://, or allow it with --plain-http.');
  if (protocol === 'http:' && isLoopbackHost(hostname) && usesProxy(hostname, environment)) {
    const list = environment['no_proxy'] === undefined ? 'NO_PROXY' : 'no_proxy';
    throw new UsageError(`The token would be sent to a proxy without encryption. Add ${hostname} to ${list}.`);
  }
  const actor = values.actor === undefined ? undefined : checkTypedActor(values.actor);
  if (actor !== undefined && 'problem' in actor) {
    throw new UsageError(`--actor: ${actor.problem}`);
  }
  const problem = values.product === undefined ? undefined : productProblem(values.product);
  if (problem !== undefined) {
    throw new UsageError(`--product: ${problem}`);
  }
  return {
    baseUrl: address.baseUrl,
    actorUrn: actor?.actorUrn,
    product: values.product?.trim(),
    readOnly: values['read-only'],
    mostIndices: values.all ? Number.POSITIVE_INFINITY : MOST_INDICES,
    names: values.names,
  };
}

/** True if Node.js may send plain HTTP for a host to a proxy. Patterns in NO_PROXY, which it knows, don't count. */
function usesProxy(hostname: string, environment: NodeJS.ProcessEnv): boolean {
  const { NODE_USE_ENV_PROXY, NODE_OPTIONS = '', http_proxy, HTTP_PROXY, no_proxy, NO_PROXY } = environment;
  const isOn = NODE_USE_ENV_PROXY === '1' || /--use[-_]env[-_]proxy/.test([NODE_OPTIONS, ...execArgv].join(' '));
  const exceptions = (no_proxy ?? NO_PROXY ?? '').toLowerCase();
  const isException = exceptions === '*' || exceptions.split(/[\s,]+/).includes(hostname);
  return isOn && (http_proxy ?? HTTP_PROXY ?? '') !== '' && !isException;
}

function valuesIn(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        url: { type: 'string' },
        actor: { type: 'string' },
        product: { type: 'string' },
        'read-only': { type: 'boolean', default: false },
        all: { type: 'boolean', default: false },
        names: { type: 'boolean', default: false },
        'plain-http': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch {
    throw new UsageError('One of the arguments is not known, or lacks its value. A token is never an argument.');
  }
}
