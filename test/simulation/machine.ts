/** Everything that windows share: the servers, the network, what is stored, the clocks, and the account of what happened. */
import type { Memento } from '../../src/platform/memento.ts';
import { isTaskId } from '../../src/service/indices/taskId.ts';
import { taskTexts } from '../../src/truncation/model/texts.ts';
import type { TruncationState } from '../../src/truncation/model/state.ts';
import { hidesRows } from '../../src/truncation/model/record.ts';
import type { TruncationRecord } from '../../src/truncation/model/record.ts';
import { Ledger } from './ledger.ts';
import { Network } from './network.ts';
import { Random } from './random.ts';
import { ASPECTS, ENTITY_TYPE, Server } from './server.ts';
import type { Backend } from './server.ts';
import { SharedFolder, SharedMemento, SharedSecrets } from './storage.ts';
import { Timeline } from './timeline.ts';
import { MAX_AGE_MILLIS, Window } from './window.ts';

const BLOCKED = new Set(ASPECTS.map((aspect) => taskTexts.blocked(`${ENTITY_TYPE}/${aspect}`).sentence));
const CONNECTION_CHANGED = taskTexts.connectionChanged().sentence;

/** Two paths of one origin, another origin, and two origins without encryption. */
export const ADDRESSES = [
  'https://one.example/staging',
  'https://one.example/production',
  'https://two.example',
  'http://plain-one.example',
  'http://plain-two.example',
] as const;

export class Machine {
  readonly random: Random;
  readonly timeline = new Timeline();
  readonly servers: readonly Server[];
  readonly ledger: Ledger;
  readonly network: Network;
  readonly memento: SharedMemento;
  readonly folder: SharedFolder;
  readonly secrets: SharedSecrets;
  readonly windows: Window[] = [];
  /** What was reached: phases, ends, and what happened on the way. */
  readonly reachedPhases = new Set<string>();
  readonly #texts: string[] = [];
  /** How often the storage does not take what it is given. */
  #failureRate = 0;

  constructor(seed: number) {
    const random = (this.random = new Random(seed));
    this.servers = ADDRESSES.map(
      (address) =>
        new Server(this.timeline, random, address, random.weighted<Backend>({ search: 6, postgres: 2, bare: 1 })),
    );
    this.folder = new SharedFolder(random, (name, text) => this.ledger.stored(name, text));
    this.memento = new SharedMemento(random);
    this.secrets = new SharedSecrets(random, random.chance(0.5));
    this.ledger = new Ledger(
      this.servers,
      this.folder.files,
      MAX_AGE_MILLIS,
      this.timeline,
      (window, id) => this.windows[window - 1]?.hasReadOnly(id) ?? false,
    );
    this.network = new Network(this.timeline, random, this.servers, this.ledger, (fate) =>
      this.reachedPhases.add(`an execution: ${fate}`),
    );
  }

  /** From now on, on some machines. */
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

  /** Each window has its own; what is in it does not matter here. */
  workspaceState(): Memento {
    return { keys: () => [], get: () => undefined, update: () => Promise.resolve() };
  }

  /** A text that somebody can read, now or later. */
  say(text: string): void {
    this.#texts.push(text);
  }

  told(record: TruncationRecord): void {
    try {
      this.ledger.told(record);
    } catch {
      // It is in the ledger: whoever fires the event is not to be stopped by it.
    }
    if (record.taskId !== undefined && !isTaskId(record.taskId)) {
      this.reachedPhases.add('a task whose status cannot be asked for');
    }
    if (record.ending !== undefined) {
      this.reachedPhases.add(`told: ${record.ending.kind}`);
    }
    if (record.ending?.kind === 'finished') {
      this.reachedPhases.add(`told: finished, ${record.ending.readers ?? ''}`);
    }
  }

  /** @param record Of the truncation that was sent from there, if one was. */
  reached(state: TruncationState, record: TruncationRecord | undefined): void {
    this.reachedPhases.add(state.phase === 'executing' ? state.step : state.phase);
    if (state.phase === 'reviewed' && state.review.notice !== undefined) {
      this.reachedPhases.add(`back to review: ${state.review.notice}`);
    }
    if (state.phase === 'reviewed' && BLOCKED.has(state.failing?.sentence ?? '')) {
      this.reachedPhases.add('not sent: rows may be hidden');
    }
    if (state.phase === 'editing' && state.failing?.sentence === CONNECTION_CHANGED) {
      this.reachedPhases.add('taken back: the connection changed');
    }
    if (record !== undefined && hidesRows(record)) {
      this.reachedPhases.add('rows may be hidden');
    }
  }

  /** Nothing goes wrong any more. */
  calm(): void {
    this.network.isCalm = true;
    this.#failureRate = 0;
  }

  /** Looks for tokens in everything that was said or stored outside the secret storage. */
  searchTexts(): void {
    this.ledger.searched('a message or the log', this.#texts.join('\n'));
    this.ledger.searched('the storage', this.memento.text);
    this.ledger.searched('a durable file', [...this.folder.files.values()].join('\n'));
  }
}
