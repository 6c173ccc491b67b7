/** Finds the metadata service behind an address that a user typed. */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { ServiceFailure, unexpectedResponse, type FailureKind, type ServerOperation } from '../failure/failure.ts';
import { isServiceRefusal, statusFailure } from '../failure/errorResponse.ts';
import { GRAPHQL_PROBE } from '../http/documentFor.ts';
import { responseJson } from '../http/responseJson.ts';
import type { Transport } from '../http/transport.ts';
import { askServerIdentity } from './serverInfo.ts';

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
      const { entrance } = await transport.repeatRead(() => askServerIdentity(transport, signal), signal);
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
    body: JSON.stringify({ query: GRAPHQL_PROBE }),
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
    throw unexpectedResponse(ASK_GRAPHQL);
  }
  const failure = statusFailure(answer, ASK_GRAPHQL, transport.host);
  throw failure.kind === 'notFound'
    ? new ServiceFailure('notFound', l10n.t('No metadata service found at {0} (HTTP {1}).', transport.host, status), {
        status,
        next: l10n.t('Check the host, the port, and the path before /api/graphql.'),
      })
    : failure;
}
