/** How this process reaches the network. Only transport.ts sends. */
import * as v from 'valibot';
import { systemClock, type Clock } from '../../time.ts';
import { subscribe } from 'node:diagnostics_channel';
import { certificateChecks } from './certificates.ts';

/** Access to the network. */
export interface NetworkAccess {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** False if certificates are not checked, or were not for a time: anything in between could read along. */
  readonly checksCertificates: () => boolean;
  /** Sent with each request, so that operators can tell ours from those of other programs. */
  readonly userAgent: string;
  /** The remote machine that the window shows, while the extension runs on the user's. Undefined if there is none. */
  readonly remote?: string | undefined;
}

const USER_AGENT = 'metadata-service-vscode';

export const systemNetwork: NetworkAccess = {
  // Looked up in each call: VS Code replaces it with one that respects proxies and system certificates.
  fetch: (input, init) => globalThis.fetch(input, init),
  clock: systemClock,
  checksCertificates: certificateChecks(process.env),
  userAgent: USER_AGENT,
};

/** The system's network, used by this version of the extension. */
export function systemNetworkOf(version: string, remote?: string): NetworkAccess {
  return { ...systemNetwork, userAgent: `${USER_AGENT}/${version}`, remote };
}

/** The event of undici before it decides whether to connect again, with the error object that it decides by. */
const CONNECT_ERROR = v.object({
  connectParams: v.object({ host: v.string() }),
  error: v.object({ code: v.string() }),
});

const CLOSED = 'UND_ERR_SOCKET';
/** Any other code makes undici fail the request. networkErrorSigns.ts explains it. */
const TUNNEL_DROPPED = 'ERR_TUNNEL_DROPPED';

const hosts = new Set<string>();

/** @param host Host and port of a server, as in `URL`. Those of other extensions keep what they have. */
export function endDroppedTunnels(host: string): void {
  if (hosts.size === 0) {
    subscribe('undici:client:connectError', (event) => {
      if (v.is(CONNECT_ERROR, event) && event.error.code === CLOSED && hosts.has(event.connectParams.host)) {
        event.error.code = TUNNEL_DROPPED;
      }
    });
  }
  hosts.add(host);
}
