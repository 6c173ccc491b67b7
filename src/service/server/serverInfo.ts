/** The product of a server and the header that it makes (PROTOCOL.md §3.4), and its releases, as it reports them. */
import * as v from 'valibot';
import { parsedAs } from '../../json.ts';
import * as l10n from '@vscode/l10n';
import { redactTokens } from '../failure/redaction.ts';
import { ServiceFailure, type FailureKind, type ServerOperation } from '../failure/failure.ts';
import { statusFailure } from '../failure/errorResponse.ts';
import { responseJson } from '../http/responseJson.ts';
import type { Transport } from '../http/transport.ts';

/** Products that identify themselves. A closed list: a header name never contains text from a server. */
type KnownProduct = 'DataHub';

/** Directly, or through the web front end (PROTOCOL.md §3.1, §3.2). */
export type ServerEntrance = 'direct' | 'front' | 'unknown';

/** Below the base URL of a front end (PROTOCOL.md §3.2). */
export const PATH_BEHIND_FRONT = '/api/gms';

export interface ServerIdentity {
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

/**
 * Asks `/config`, and the one behind the front end if needed (PROTOCOL.md §3.4), first without the credential.
 * Most failures only mean that the server does not say.
 * @throws ServiceFailure if it can't be reached at all.
 */
export async function askServerIdentity(transport: Transport, signal?: AbortSignal): Promise<ServerIdentity> {
  const direct = await fetchConfig(transport, '/config', signal);
  const found = parseServiceConfig(direct, 'direct');
  if (found !== undefined) {
    return found;
  }
  const isFront = v.is(FRONT_CONFIG, direct);
  // A front end passes nothing on without a credential.
  const config = await fetchConfig(transport, `${PATH_BEHIND_FRONT}/config`, signal, !isFront);
  const behind = parseServiceConfig(config, 'front');
  if (behind !== undefined) {
    return behind;
  }
  return { product: isFront ? 'DataHub' : undefined, version: undefined, entrance: isFront ? 'front' : 'unknown' };
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
  const config = await fetchConfig(transport, entrance === 'front' ? `${PATH_BEHIND_FRONT}/config` : '/config', signal);
  return plausibleVersion(parsedAs(INGESTION_CONFIG, config)?.managedIngestion.defaultCliVersion);
}

function parseServiceConfig(config: unknown, entrance: ServerEntrance): ServerIdentity | undefined {
  const parsed = parsedAs(SERVICE_CONFIG, config);
  if (parsed === undefined) {
    return undefined;
  }
  const versions = Object.values(parsed.versions)
    .slice(0, MOST_VERSIONS)
    .flatMap((entry) => parsedAs(v.looseObject({ version: v.string() }), entry)?.version ?? []);
  return { product: 'DataHub', version: plausibleVersion(versions[0]), entrance };
}

/** Shown and stored, so only characters of a version are accepted. */
function plausibleVersion(text = ''): string | undefined {
  return /^v?[0-9A-Za-z][0-9A-Za-z.+_-]{0,40}$/.test(text) && redactTokens(text) === text ? text : undefined;
}

/** Failures of one path: some gateways redirect unknown paths or answer them at length. */
const PATH_FAILURES: ReadonlySet<FailureKind> = new Set(['redirected', 'tooLarge', 'unexpectedAnswer']);

/** @param anonymous Sends the credential only if the server or its gateway asks for one. Otherwise at once. */
async function fetchConfig(
  transport: Transport,
  path: string,
  signal: AbortSignal | undefined,
  anonymous = true,
): Promise<unknown> {
  let wantsCredential: boolean;
  try {
    const answer = await transport.exchange({ operation: READ_CONFIG, method: 'GET', path, anonymous, signal });
    const { status } = answer;
    if (status === 200) {
      return responseJson(answer);
    }
    if (status === 429 || (status >= 502 && status <= 504)) {
      throw statusFailure(answer, READ_CONFIG, transport.host);
    }
    wantsCredential = status === 401 || status === 403;
  } catch (thrown) {
    if (!(thrown instanceof ServiceFailure) || !PATH_FAILURES.has(thrown.kind)) {
      throw thrown;
    }
    wantsCredential = thrown.kind === 'redirected';
  }
  return anonymous && wantsCredential ? fetchConfig(transport, path, signal, false) : undefined;
}

/** Neutral name of the interface description, for an unidentified server. */
export const DEFAULT_PRODUCT = 'Service';

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
