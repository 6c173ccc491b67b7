/** Decides whether a credential may be sent over plain HTTP: on the user's own machine, or with the user's consent. */
import { isLoopbackHost } from '../service/http/baseUrl.ts';
import { originOf, type Connection } from './connection.ts';
import { remoteBelow, type ExtensionPlace } from './whereItRuns.ts';

/** True if others can read what is sent to this address: plain HTTP over a network, or on a shared machine. */
export function isExposed(baseUrl: string, place?: ExtensionPlace): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && (!isLoopbackHost(hostname) || remoteBelow(place) !== undefined);
}

/** True if a credential would be exposed without consent. */
export function lacksConsent(connection: Pick<Connection, 'baseUrl' | 'plainHttpOrigin'>): boolean {
  return isExposed(connection.baseUrl) && connection.plainHttpOrigin !== originOf(connection);
}
