/** Start of every short schedule: a signed-in connection. */
import { parseConnection, type Connection } from '../../../src/connections/connection.ts';
import { saveSignedIn } from '../../../src/connections/signIn.ts';
import { ADDRESSES, type Machine } from '../machine.ts';
import { tokenFor } from '../people.ts';
import type { Window } from '../window.ts';

/** Longer than an update of VS Code's storage takes to reach every window, in ms. */
export const SETTLED_MILLIS = 600;

/** Adds the connection. All windows that are opened from then on know it. */
export async function connect(machine: Machine, window: Window): Promise<Connection> {
  const connection = parseConnection({
    id: crypto.randomUUID(),
    name: 'Connection',
    baseUrl: ADDRESSES[0],
    actorUrn: 'urn:li:corpuser:admin',
    plainHttpConsent: false,
    createdAt: machine.timeline.now,
  });
  if (connection === undefined) {
    throw new TypeError('The connection is none.');
  }
  const { connection: saved } = await saveSignedIn(window, connection, tokenFor(machine, new URL(ADDRESSES[0]).origin));
  await window.pause(SETTLED_MILLIS);
  return saved;
}
