/** Roles that users chose for connections, compared with requests and with what new windows show. */
import type { Connection } from '../../src/connections/connection.ts';
import { isLaxerRole, stricterRole, type ConnectionRole } from '../../src/connections/role.ts';
import type { Timeline } from './timeline.ts';

type ChosenRole = ConnectionRole | undefined;

/** A role that the user chose. Times are in ms since the start. */
interface RoleChoice {
  readonly connectionId: string;
  /** The folder of its window's durable files. */
  readonly place: string;
  readonly role: ChosenRole;
  /** Role that the window showed at that time. */
  readonly shown: ChosenRole;
  readonly at: number;
  /** When the window reported it as stored. Undefined if it has not, or if storing failed. */
  storedAt: number | undefined;
}

/** A choice stored longer ago than this applies in every window of its folder, in ms. */
const MOMENT_MILLIS = 1_000;
/** Time between two choices with a clear order, in ms. */
const CLEAR_MILLIS = 500;

export class RoleChoices {
  readonly #timeline: Pick<Timeline, 'now'>;
  readonly #choices: RoleChoice[] = [];

  constructor(timeline: Pick<Timeline, 'now'>) {
    this.#timeline = timeline;
  }

  /**
   * Choosing the displayed role changes nothing.
   * @returns a function to call once the window has reported it as stored
   */
  chosen(choice: Omit<RoleChoice, 'at' | 'storedAt'>): () => void {
    const made: RoleChoice = { ...choice, at: this.#timeline.now, storedAt: undefined };
    if (choice.role !== choice.shown) {
      this.#choices.push(made);
    }
    return () => (made.storedAt = this.#timeline.now);
  }

  /** The strictest role that must apply now. A choice applies until a user who saw it chooses a laxer role. */
  required(connectionId: string, place: string): ChosenRole {
    const choices = this.#of(connectionId, place);
    const unset: RoleChoice = { connectionId, place, role: undefined, shown: undefined, at: 0, storedAt: -Infinity };
    const standing = [unset, ...choices].filter(
      (choice) =>
        choice.storedAt !== undefined &&
        choice.storedAt <= this.#timeline.now - MOMENT_MILLIS &&
        !choices.some((later) => isLiftedBy(choice, later)),
    );
    return standing.map(({ role }) => role).reduce(stricterRole, 'developmentChosen');
  }

  /**
   * Role in every window that knows everything stored by `learnedAt`. Undefined if the order of the choices is
   * unclear, or if one may not have been stored by then.
   */
  last(connectionId: string, place: string, learnedAt: number): { readonly role: ChosenRole } | undefined {
    const choices = this.#of(connectionId, place);
    const last = choices.at(-1);
    if (last === undefined || choices.some(({ storedAt = Infinity }) => storedAt > learnedAt)) {
      return undefined;
    }
    const isClear = choices.every((choice) => choice === last || (choice.storedAt ?? 0) + CLEAR_MILLIS < last.at);
    // A user who saw an outdated role may get the stricter one of the two.
    const isKnowing = last.shown === choices.at(-2)?.role;
    return isClear && isKnowing ? { role: last.role } : undefined;
  }

  /** Connections with a role that was chosen in a window of this place. */
  connectionsOf(place: string): readonly string[] {
    return [...new Set(this.#choices.filter((one) => one.place === place).map(({ connectionId }) => connectionId))];
  }

  #of(connectionId: string, place: string): readonly RoleChoice[] {
    return this.#choices.filter((choice) => choice.connectionId === connectionId && choice.place === place);
  }
}

/** True if a user who saw this choice, or a stricter one, chose a laxer role afterwards. */
function isLiftedBy(choice: RoleChoice, later: RoleChoice): boolean {
  return (
    later !== choice &&
    later.at >= choice.at &&
    isLaxerRole(later.role, choice.role) &&
    !isLaxerRole(later.shown, choice.role)
  );
}

/** True if the question before an execution was at least as strict as the role requires. */
export function asksEnough({ role }: Pick<Connection, 'role'>, required: ChosenRole): boolean {
  return required !== 'readOnly' && !isLaxerRole(role, required);
}
