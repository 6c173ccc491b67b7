/** Users choose the role of a server in any window, while others write something else. */
import { isLaxerRole, type ConnectionRole } from '../../src/connections/role.ts';
import type { Machine } from './machine.ts';
import type { Window } from './window.ts';

/** Like the command: a stricter role applies at once, a laxer one requires a question. */
export async function chooseRole(
  machine: Machine,
  window: Window,
  connectionId: string,
  role: ConnectionRole,
): Promise<void> {
  const { random, ledger, timeline, reachedPhases } = machine;
  const roleNow = async (): Promise<ConnectionRole | undefined> => (await window.store.getFresh(connectionId))?.role;
  let shown = await roleNow();
  await window.pause(random.pick([0, 50, 500, 3_000]));
  do {
    // Asked again if it became stricter meanwhile.
    shown = await roleNow();
    if (isLaxerRole(role, shown)) {
      await window.pause(random.pick([50, 500, 3_000]));
      if (random.chance(0.1)) {
        return;
      }
    }
  } while (isLaxerRole(shown, await roleNow()));
  const stored = window.store.get(connectionId);
  if (stored === undefined) {
    return;
  }
  reachedPhases.add(isLaxerRole(role, shown) ? 'a role is chosen that is laxer' : 'a role is chosen');
  timeline.note(`window ${window.id}: role ${role}, shown ${shown ?? 'none'}`);
  const isStored = ledger.roles.chosen({ connectionId, place: window.place.name, role, shown });
  await window.store.save({ ...stored, role }, { ...stored, role: shown });
  timeline.note(`window ${window.id}: role ${role} is stored`);
  isStored();
}
