/** Roles that users chose for connections, compared with requests and with what windows show. */
import type { Connection } from '../../src/connections/connection.ts';
import { isLaxerRole, type ConnectionRole } from '../../src/connections/role.ts';
import type { Timeline } from './timeline.ts';

/** A role that the user chose. Times are in ms since the start. */
interface RoleChoice {
  readonly connectionId: string;
  readonly role: ConnectionRole;
  readonly at: number;
  /** When the window reported it as stored. Undefined if it has not. */
  storedAt: number | undefined;
}

/** A choice stored longer ago than this applies in every window, in ms. */
const MOMENT_MILLIS = 1_000;

export class RoleChoices {
  readonly #timeline: Pick<Timeline, 'now'>;
  #choices: readonly RoleChoice[] = [];

  constructor(timeline: Pick<Timeline, 'now'>) {
    this.#timeline = timeline;
  }

  /** @returns a function to call once the window has reported whether it is stored. */
  chosen(connectionId: string, role: ConnectionRole): (isStored: boolean) => void {
    const made: RoleChoice = { connectionId, role, at: this.#timeline.now, storedAt: undefined };
    this.#choices = [...this.#choices, made];
    return (isStored) => {
      if (isStored) {
        made.storedAt = this.#timeline.now;
      } else {
        this.#choices = this.#choices.filter((one) => one !== made);
      }
    };
  }

  /** True if the question before an execution was strict enough for a role that may apply now. */
  allow({ id, role }: Pick<Connection, 'id' | 'role'>): boolean {
    const candidates = this.#candidates(id, this.#timeline.now - MOMENT_MILLIS);
    return candidates.length === 0 || candidates.some((one) => one.role !== 'readOnly' && !isLaxerRole(role, one.role));
  }

  /** True if a window that read the files now may have this role. */
  mayBe(connectionId: string, role: ConnectionRole): boolean {
    const candidates = this.#candidates(connectionId, this.#timeline.now);
    return candidates.length === 0 || candidates.some((one) => one.role === role);
  }

  /** Choices that may have been stored last: not those before one that was made later, and stored by then. */
  #candidates(connectionId: string, by: number): readonly RoleChoice[] {
    const choices = this.#choices.filter((one) => one.connectionId === connectionId);
    return choices.filter(
      ({ storedAt = Infinity }) => !choices.some((later) => later.at > storedAt && (later.storedAt ?? Infinity) <= by),
    );
  }
}
