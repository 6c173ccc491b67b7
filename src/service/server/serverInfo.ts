/** The product of a server (PROTOCOL.md §3.4) and its releases, as it reports them. */
import * as v from 'valibot';
import { redactTokens } from '../failure/redaction.ts';
import { ServiceFailure, type FailureKind, type ServerOperation } from '../failure/failure.ts';
import { isServiceRefusal } from '../failure/serviceBody.ts';
import { responseJson } from '../http/json.ts';
import { withRetries } from '../http/waiting.ts';
import type { Transport } from '../http/transport.ts';
import * as l10n from '@vscode/l10n';

/** Products that identify themselves. A closed list: a header name never contains text from a server. */
type KnownProduct = 'DataHub';

/** Neutral name of the interface description, for an unidentified server. */
export const DEFAULT_PRODUCT = 'Service';

/** Directly, or through the web front end (PROTOCOL.md §3.1, §3.2). */
export type ServerEntrance = 'direct' | 'front' | 'unknown';

/** Below the base URL of a front end (PROTOCOL.md §3.2). */
export const PATH_BEHIND_FRONT = '/api/gms';

export interface ServerFacts {
  readonly product: KnownProduct | undefined;
  readonly version: string | undefined;
  readonly entrance: ServerEntrance;
}

const READ_CONFIG: ServerOperation = { name: 'config', actionPhrase: () => l10n.t("read the server's configuration") };

const SERVICE_CONFIG = v.looseObject({
  noCode: v.union([v.literal('true'), v.literal(true)]),
  versions: v.fallback(
    v.custom<Readonly<Record<string, unknown>>>((value) => typeof value === 'object' && value !== null),
    {},
  ),
});
const INGESTION_CONFIG = v.object({ managedIngestion: v.object({ defaultCliVersion: v.string() }) });
/** Servers report one, under a component's name. */
const MOST_VERSIONS = 20;
const FRONT_CONFIG = v.looseObject({ config: v.looseObject({ application: v.literal('datahub-frontend') }) });

/** Letters, digits and hyphens, as allowed in `X-<Product>-Actor`. */
const PRODUCT_NAME = /^[A-Za-z][A-Za-z0-9-]{0,39}$/;

/** Explains why a typed product name can't be part of a header; undefined if it can. */
export function productProblem(name: string): string | undefined {
  return PRODUCT_NAME.test(name.trim())
    ? undefined
    : l10n.t('Product names start with a letter and can contain letters, digits and hyphens.');
}

/** @throws TypeError for an unchecked product name, which would become a header. */
export function actorHeaderName(product: string): string {
  if (!PRODUCT_NAME.test(product)) {
    throw new TypeError('unchecked product name');
  }
  return `X-${product}-Actor`;
}

/**
 * Asks `/config`, and the one behind the front end if needed (PROTOCOL.md §3.4), first without the credential.
 * Most failures only mean that the server does not say.
 * @throws ServiceFailure if it can't be reached at all.
 */
export async function askServerFacts(transport: Transport, signal?: AbortSignal): Promise<ServerFacts> {
  const direct = await fetchConfig(transport, '/config', signal);
  const found = parseServiceConfig(direct, 'direct');
  if (found !== undefined) {
    return found;
  }
  const isFront = v.is(FRONT_CONFIG, direct);
  // A front end passes nothing on without a credential.
  const config = isFront
    ? (await readConfig(transport, '/api/gms/config', false, signal)).document
    : await fetchConfig(transport, '/api/gms/config', signal);
  const behind = parseServiceConfig(config, 'front');
  if (behind !== undefined) {
    return behind;
  }
  return { product: isFront ? 'DataHub' : undefined, version: undefined, entrance: isFront ? 'front' : 'unknown' };
}

/**
 * Finds a metadata service among addresses of one host: by a `/config` of its own, behind a front end, or by its
 * GraphQL where it has none.
 * @param candidates The likeliest first.
 * @returns the one that answers.
 * @throws ServiceFailure with the reason why there is none at the first.
 */
export async function findService(candidates: readonly Transport[], signal?: AbortSignal): Promise<Transport> {
  const failures: ServiceFailure[] = [];
  let front: Transport | undefined;
  for (const transport of candidates) {
    try {
      const { entrance } = await withRetries(() => askServerFacts(transport, signal), signal);
      // Below a front end, a longer path may be the service's own. A shorter one may be another service's.
      if (entrance === 'direct' && transport.baseUrl.length > (front?.baseUrl.length ?? 0)) {
        return transport;
      }
      front ??= entrance === 'front' ? transport : undefined;
    } catch (thrown) {
      failures.push(failureOfPath(thrown));
    }
  }
  return front ?? findGraphQL(candidates, failures, signal);
}

const HOST_FAILURES: ReadonlySet<FailureKind> = new Set(['cancelled', 'tls', 'timedOut', 'unreachable']);

/** @throws what every other path of the host would fail with. */
function failureOfPath(thrown: unknown): ServiceFailure {
  if (!(thrown instanceof ServiceFailure) || HOST_FAILURES.has(thrown.kind)) {
    throw thrown;
  }
  return thrown;
}

/** A response of GraphQL counts more than a demand to sign in, which a gateway may give to any path. */
async function findGraphQL(
  candidates: readonly Transport[],
  failures: ServiceFailure[],
  signal?: AbortSignal,
): Promise<Transport> {
  let guarded: Transport | undefined;
  for (const transport of candidates) {
    try {
      if ((await confirmGraphQL(transport, signal)) === 'answers') {
        return transport;
      }
      guarded ??= transport;
    } catch (thrown) {
      failures.push(failureOfPath(thrown));
    }
  }
  if (guarded === undefined) {
    throw failures[0];
  }
  return guarded;
}

const ASK_GRAPHQL: ServerOperation = {
  name: 'graphql',
  actionPhrase: () => l10n.t("read the server's configuration"),
};
const GRAPHQL_BODY = v.union([v.looseObject({ data: v.unknown() }), v.looseObject({ errors: v.array(v.unknown()) })]);

/**
 * Asks, without the credential, whether GraphQL is there. A demand to sign in counts as well, a gateway's 403 doesn't.
 * @throws ServiceFailure if not.
 */
export async function confirmGraphQL(transport: Transport, signal?: AbortSignal): Promise<'answers' | 'guarded'> {
  const answer = await transport.exchange({
    operation: ASK_GRAPHQL,
    method: 'POST',
    path: '/api/graphql',
    body: JSON.stringify({ query: '{ __typename }' }),
    anonymous: true,
    signal,
  });
  const { status } = answer;
  if (v.is(GRAPHQL_BODY, responseJson(answer))) {
    return 'answers';
  }
  if (status === 401 || (status === 403 && isServiceRefusal(answer))) {
    return 'guarded';
  }
  if (status >= 200 && status < 300) {
    throw new ServiceFailure(
      'unexpectedAnswer',
      l10n.t('Unexpected response from {0}. This may not be a metadata service.', transport.host),
      { next: l10n.t("Check that the address is the service's own, not that of a proxy or sign-in page.") },
    );
  }
  const failure = transport.statusFailure(answer, ASK_GRAPHQL);
  throw failure.kind === 'notFound'
    ? new ServiceFailure('notFound', l10n.t('No metadata service found at {0} (HTTP {1}).', transport.host, status), {
        status,
        next: l10n.t('Check the host, the port, and the path before /api/graphql.'),
      })
    : failure;
}

/**
 * The default release of the ingestion client on this server (PROTOCOL.md §13.3), as `1.7.0.17`.
 * Asked each time: an administrator changes it without an upgrade.
 * @returns undefined if the server does not say.
 * @throws ServiceFailure if it can't be reached.
 */
export async function askIngestionRelease(
  transport: Transport,
  entrance: ServerEntrance,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (entrance === 'unknown') {
    return undefined;
  }
  const config = await fetchConfig(transport, entrance === 'front' ? '/api/gms/config' : '/config', signal);
  const parsed = v.safeParse(INGESTION_CONFIG, config);
  return parsed.success ? plausibleVersion(parsed.output.managedIngestion.defaultCliVersion) : undefined;
}

/**
 * True if the front end passes requests with the credential on to the service.
 * @throws ServiceFailure if it can't be reached.
 */
export async function passesOnToService(transport: Transport, signal?: AbortSignal): Promise<boolean> {
  const { document } = await readConfig(transport, `${PATH_BEHIND_FRONT}/config`, false, signal);
  return parseServiceConfig(document, 'front') !== undefined;
}

function parseServiceConfig(config: unknown, entrance: ServerEntrance): ServerFacts | undefined {
  const parsed = v.safeParse(SERVICE_CONFIG, config);
  if (!parsed.success) {
    return undefined;
  }
  const versions = Object.values(parsed.output.versions)
    .slice(0, MOST_VERSIONS)
    .map((entry) => v.safeParse(v.looseObject({ version: v.string() }), entry));
  const version = versions.find((entry) => entry.success)?.output.version;
  return { product: 'DataHub', version: version === undefined ? undefined : plausibleVersion(version), entrance };
}

/** Shown and stored, so only characters of a version are accepted. */
function plausibleVersion(text: string): string | undefined {
  return /^v?[0-9A-Za-z][0-9A-Za-z.+_-]{0,40}$/.test(text) && redactTokens(text) === text ? text : undefined;
}

/** Failures of one path: some gateways redirect unknown paths or answer them at length. */
const PATH_FAILURES: ReadonlySet<FailureKind> = new Set(['redirected', 'tooLarge', 'unexpectedAnswer']);

interface ConfigResponse {
  readonly document: unknown;
  /** True if a signed-in caller may get another response. */
  readonly wantsCredential: boolean;
}

/** Sends the credential only if the server or its gateway asks for one. */
async function fetchConfig(transport: Transport, path: string, signal: AbortSignal | undefined): Promise<unknown> {
  const { document, wantsCredential } = await readConfig(transport, path, true, signal);
  return wantsCredential ? (await readConfig(transport, path, false, signal)).document : document;
}

async function readConfig(
  transport: Transport,
  path: string,
  anonymous: boolean,
  signal: AbortSignal | undefined,
): Promise<ConfigResponse> {
  try {
    const answer = await transport.exchange({ operation: READ_CONFIG, method: 'GET', path, anonymous, signal });
    if (answer.status === 429 || (answer.status >= 502 && answer.status <= 504)) {
      throw transport.statusFailure(answer, READ_CONFIG);
    }
    return {
      document: answer.status === 200 ? responseJson(answer) : undefined,
      wantsCredential: answer.status === 401 || answer.status === 403,
    };
  } catch (thrown) {
    if (thrown instanceof ServiceFailure && PATH_FAILURES.has(thrown.kind)) {
      return { document: undefined, wantsCredential: thrown.kind === 'redirected' };
    }
    throw thrown;
  }
}
