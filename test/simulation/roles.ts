/** Users choose the role of a server in any window, while others write something else. */
import type { Connection } from '../../src/connections/connection.ts';
import { chosenRole, isLaxerRole, type StoredRole } from '../../src/connections/role.ts';
import type { Machine } from './machine.ts';
import type { Window } from './window.ts';

/** Like the command: a stricter role applies at once, a laxer one requires a question. */
export async function chooseRole(
  machine: Machine,
  window: Window,
  connectionId: string,
  role: StoredRole['role'],
): Promise<void> {
  const { random, ledger, timeline, reachedPhases } = machine;
  const connectionNow = (): Promise<Connection | undefined> => window.store.getFresh(connectionId);
  const isLaxer = (than: Connection): boolean => isLaxerRole(chosenRole(role, than), than.role);
  await window.pause(random.pick([0, 50, 500, 3_000]));
  let asked = await connectionNow();
  while (asked !== undefined && isLaxer(asked)) {
    await window.pause(random.pick([50, 500, 3_000]));
    if (random.chance(0.1)) {
      return;
    }
    const now = await connectionNow();
    if (!isLaxerRole(asked.role, now?.role)) {
      break;
    }
    // Asked again if it became stricter meanwhile.
    asked = now;
  }
  if (asked === undefined || (await connectionNow()) === undefined) {
    return;
  }
  reachedPhases.add(isLaxer(asked) ? 'a role is chosen that is laxer' : 'a role is chosen');
  timeline.note(`window ${window.id}: role ${role}, shown ${asked.role}`);
  const reported = ledger.roles.chosen(connectionId, chosenRole(role, asked));
  await window.store.setRole(connectionId, { role, chosen: true }).then(
    () => reported(true),
    () => reported(false),
  );
  timeline.note(`window ${window.id}: role ${role} is stored`);
}
