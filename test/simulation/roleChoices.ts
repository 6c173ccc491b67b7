/** The roles that users chose for connections, compared with requests and with what new windows show. */
import type { Connection } from '../../src/connections/connection.ts';
import { isLaxerRole, type ConnectionRole } from '../../src/connections/role.ts';
import type { Timeline } from './timeline.ts';

type ChosenRole = ConnectionRole | undefined;

/** A role that the user chose. Times are in ms since the beginning. */
interface RoleChoice {
  readonly connectionId: string;
  /** The folder of its window's durable files. */
  readonly place: string;
  readonly role: ChosenRole;
  /** The role that the window showed when it was chosen. */
  readonly shown: ChosenRole;
  readonly at: number;
  /** When the window said that it was stored; undefined while it has not, or where that failed. */
  storedAt: number | undefined;
}

/** A choice that was stored so long ago holds in every window of its folder, in ms. */
const MOMENT_MILLIS = 1_000;
/** Two choices this far apart, in ms, have a clear order. */
const CLEAR_MILLIS = 500;

export class RoleChoices {
  readonly #timeline: Pick<Timeline, 'now'>;
  readonly #choices: RoleChoice[] = [];

  constructor(timeline: Pick<Timeline, 'now'>) {
    this.#timeline = timeline;
  }

  /** To choose the role that is shown changes nothing. @returns what is called once the window says that it is stored. */
  chosen(choice: Omit<RoleChoice, 'at' | 'storedAt'>): () => void {
    const made: RoleChoice = { ...choice, at: this.#timeline.now, storedAt: undefined };
    if (choice.role !== choice.shown) {
      this.#choices.push(made);
    }
    return () => (made.storedAt = this.#timeline.now);
  }

  /** The strictest role that must hold now: a stricter choice stands until a user who saw it chooses a laxer one. */
  required(connectionId: string, place: string): ChosenRole {
    const choices = this.#of(connectionId, place);
    const standing = choices.filter(
      (choice) =>
        choice.storedAt !== undefined &&
        choice.storedAt <= this.#timeline.now - MOMENT_MILLIS &&
        !choices.some((later) => isLiftedBy(choice, later)),
    );
    return standing.map(({ role }) => role).reduce((one, other) => (isLaxerRole(one, other) ? other : one), undefined);
  }

  /**
   * The role that every window shows which has learned what was stored by `learnedAt`; undefined where the order of the choices is not
   * clear, or where one may not have been stored by then.
   */
  last(connectionId: string, place: string, learnedAt: number): { readonly role: ChosenRole } | undefined {
    const choices = this.#of(connectionId, place);
    const last = choices.at(-1);
    if (last === undefined || choices.some(({ storedAt = Infinity }) => storedAt > learnedAt)) {
      return undefined;
    }
    const isClear = choices.every((choice) => choice === last || (choice.storedAt ?? 0) + CLEAR_MILLIS < last.at);
    // A user who saw an older role may get the stricter one of the two.
    const isKnowing = last.shown === choices.at(-2)?.role;
    return isClear && isKnowing ? { role: last.role } : undefined;
  }

  /** Connections for which a role was chosen in a window of this place. */
  connectionsOf(place: string): readonly string[] {
    return [...new Set(this.#choices.filter((one) => one.place === place).map(({ connectionId }) => connectionId))];
  }

  #of(connectionId: string, place: string): readonly RoleChoice[] {
    return this.#choices.filter((choice) => choice.connectionId === connectionId && choice.place === place);
  }
}

/** True if a user who saw a choice, or a stricter one, chose a laxer one afterwards. */
function isLiftedBy(choice: RoleChoice, later: RoleChoice): boolean {
  return (
    later !== choice &&
    later.at >= choice.at &&
    isLaxerRole(later.role, choice.role) &&
    !isLaxerRole(later.shown, choice.role)
  );
}

/** Checks that the question before an execution was at least as strict as a role demands. */
export function asksEnough({ role }: Pick<Connection, 'role'>, required: ChosenRole): boolean {
  return required !== 'readOnly' && !isLaxerRole(role, required);
}
