/** Everything that windows share: servers, network, storage and clocks, and the ledger of what happened. */
import type { Memento } from '../../src/platform/storage.ts';
import type { TruncationState } from '../../src/truncation/state.ts';
import { hidesRows, type TruncationRecord } from '../../src/truncation/sentTruncation.ts';
import { Ledger } from './ledger.ts';
import { Network } from './network.ts';
import { Random } from './random.ts';
import { Server } from './server.ts';
import { Disk, SharedSecrets } from './storage.ts';
import { Timeline } from './timeline.ts';
import { MAX_AGE_MILLIS, Window } from './window.ts';

const BLOCKED = /An earlier reindex of .* may have hidden rows to keep\.$/;
const CONNECTION_CHANGED = /The connection has changed since the dry run\.$/;

/** Two paths on one origin, and another origin. */
export const ADDRESSES = [
  'https://one.example/staging',
  'https://one.example/production',
  'https://two.example',
] as const;

export class Machine {
  readonly random: Random;
  readonly timeline = new Timeline();
  readonly servers: readonly Server[];
  readonly ledger: Ledger;
  readonly network: Network;
  readonly disk: Disk;
  readonly secrets: SharedSecrets;
  readonly windows: Window[] = [];
  /** Phases, ends and events that were reached. */
  readonly reachedPhases = new Set<string>();
  /** Probability that a write to the storage fails. */
  #failureRate = 0;

  constructor(seed: number) {
    const random = (this.random = new Random(seed));
    this.servers = ADDRESSES.map((address) => new Server(this.timeline, random, address));
    this.disk = new Disk(random, (kind, name, text, window) => {
      this.timeline.note(`${text === undefined ? 'removed' : 'written'}: ${kind}/${name}`);
      this.ledger.fileChanged(kind, name, text, window);
    });
    this.secrets = new SharedSecrets(random);
    this.ledger = new Ledger(this.servers, MAX_AGE_MILLIS, this.timeline);
    this.network = new Network(this.timeline, random, this.servers, this.ledger, (fate) =>
      this.reachedPhases.add(`an execution: ${fate}`),
    );
  }

  /** Lets storage fail from now on, on some machines. */
  storageMayFail(): void {
    if (this.random.chance(0.15)) {
      this.#failureRate = 0.05;
      this.reachedPhases.add('a storage that fails');
    }
  }

  openWindow(): Window {
    const window = new Window(this.windows.length + 1, this, () => this.#failureRate);
    this.windows.push(window);
    this.timeline.note(`window ${window.id} opens`);
    return window;
  }

  aliveWindows(): readonly Window[] {
    return this.windows.filter((window) => window.isAlive());
  }

  /** Sometimes writes rows on a server while the user thinks. */
  mayGrow(baseUrl: string): void {
    if (this.random.chance(0.2)) {
      const server = this.servers.find((one) => one.baseUrl === baseUrl);
      const age = this.random.pick([0, this.random.whole(1, 100) * 86_400_000]);
      for (let count = this.random.whole(1, 6); count > 0; count--) {
        server?.addRows(age);
      }
    }
  }

  /** Keeps nothing, since VS Code's storage may be lost. */
  memento(): Memento {
    return { keys: () => [], get: () => undefined, update: () => Promise.resolve() };
  }

  reported(record: TruncationRecord): void {
    try {
      this.ledger.reported(record);
    } catch {
      // The ledger has recorded it. Throwing would stop the sender of the event.
    }
    if (record.ending !== undefined) {
      this.reachedPhases.add(`reported: ${record.ending.kind}`);
    }
    if (record.ending?.kind === 'finished') {
      this.reachedPhases.add(`reported: finished, ${record.ending.readers}`);
    }
  }

  /** A run reports the result of its execution. */
  concluded(window: number, record: TruncationRecord, isRefused: boolean): void {
    try {
      this.ledger.concluded(window, record, isRefused);
    } catch {
      // The ledger has recorded it.
    }
  }

  /** @param record the truncation sent from there, if any */
  reached(state: TruncationState, record: TruncationRecord | undefined): void {
    this.reachedPhases.add(state.phase === 'executing' ? state.step : state.phase);
    if (state.phase === 'reviewed' && state.review.notice !== undefined) {
      this.reachedPhases.add(`back to review: ${state.review.notice}`);
    }
    if (state.phase === 'reviewed' && BLOCKED.test(state.failing?.sentence ?? '')) {
      this.reachedPhases.add('not sent: rows may be hidden');
    }
    if (state.phase === 'editing' && CONNECTION_CHANGED.test(state.failing?.sentence ?? '')) {
      this.reachedPhases.add('taken back: the connection changed');
    }
    if (record !== undefined && hidesRows(record)) {
      this.reachedPhases.add('rows may be hidden');
    }
  }

  /** Turns all faults off. */
  calm(): void {
    this.network.isCalm = true;
    this.#failureRate = 0;
  }
}
