/** Start of every short schedule: a signed-in connection. */
import type { Connection } from '../../../src/connections/connection.ts';
import { ADDRESSES, type Machine } from '../machine.ts';
import { saveConnection, signIn } from '../people.ts';
import type { Window } from '../window.ts';

/** Adds the connection. All windows that are opened from then on know it. */
export async function connect(machine: Machine, window: Window): Promise<Connection> {
  const added = await saveConnection(machine, window, ADDRESSES[0]);
  await signIn(machine, window, added);
  return window.store.get(added.id) ?? added;
}
