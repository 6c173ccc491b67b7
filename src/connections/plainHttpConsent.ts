/** Whether credentials may be sent over http://: only where nobody else could read them, or once the user has agreed. */
import { isLoopbackHost } from '../service/http/baseUrl.ts';
import { originOf, type Connection } from './connection.ts';
import { remoteBelow, type ExtensionPlace } from './whereItRuns.ts';

/** True for http:// where somebody else could read a token: on the network, or on a machine that others use too. */
export function isExposed(baseUrl: string, place?: ExtensionPlace): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && (!isLoopbackHost(hostname) || remoteBelow(place) !== undefined);
}

/** True if a credential would be exposed without consent. */
export function lacksConsent(connection: Pick<Connection, 'baseUrl' | 'plainHttpOrigin'>): boolean {
  return isExposed(connection.baseUrl) && connection.plainHttpOrigin !== originOf(connection);
}
