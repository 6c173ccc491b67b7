/**
 * Ends requests whose proxy accepts a connection and closes it without an answer. The HTTP stack of Node.js, undici,
 * takes that for an idle connection that was closed, and connects again at once, thousands of times a second, even
 * after the request was aborted.
 */
import { subscribe } from 'node:diagnostics_channel';
import * as v from 'valibot';

/** The event of undici before it decides whether to connect again, with the error object that it decides by. */
const CONNECT_ERROR = v.object({
  connectParams: v.object({ host: v.string() }),
  error: v.object({ code: v.string() }),
});

const CLOSED = 'UND_ERR_SOCKET';
/** Any other code makes undici fail the request. networkFailure.ts explains it. */
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
