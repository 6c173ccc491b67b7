/**
 * VS Code's global state: one value for all keys, shared by all windows and written late, so that updates get lost.
 * Only what may be lost is kept there.
 */
import type { Memento } from '../../src/platform/storage.ts';
import type { Random } from './random.ts';
import type { Host } from './storage.ts';

/** Delays in the workbench before writing, and until another window sees it, in ms. */
const FLUSH_MILLIS = [0, 120] as const;
const NEWS_MILLIS = [1, 40] as const;

interface Cell {
  readonly text: string;
  parsed?: unknown;
}

type Cells = ReadonlyMap<string, Cell>;

/**
 * Like VS Code: `update` changes the window's own copy, which is then sent to the workbench as a whole. The workbench
 * returns it at once, although there may be newer updates by then, and writes it some time later. Other windows
 * replace their copy with everything that was written.
 */
export class SharedMemento {
  readonly #random: Random;
  readonly #windows = new Set<{ value: Map<string, Cell>; readonly host: Host }>();
  #written: Cells = new Map();

  constructor(random: Random) {
    this.#random = random;
  }

  openIn(host: Host, failureRate: () => number): Memento {
    const random = this.#random;
    const view = { value: new Map(this.#written), host };
    this.#windows.add(view);
    let unwritten: Cells | undefined;
    let waiting: (() => void)[] = [];
    const flush = (): void => {
      this.#write(unwritten ?? new Map(), view);
      unwritten = undefined;
    };
    const send = (): void => {
      const snapshot: Cells = new Map(view.value);
      const sent = waiting;
      waiting = [];
      host.later(random.whole(0, 3), () => {
        if (unwritten === undefined) {
          host.later(random.whole(...FLUSH_MILLIS), flush);
        }
        unwritten = snapshot;
        host.later(random.whole(0, 3), () => {
          view.value = new Map(snapshot);
          sent.forEach((resolve) => resolve());
        });
      });
    };
    return {
      keys: () => [...view.value.keys()],
      get: <T>(key: string) => {
        const cell = view.value.get(key);
        return cell === undefined ? undefined : ((cell.parsed ??= JSON.parse(cell.text)) as T | undefined);
      },
      update: (key, value) => {
        if (random.chance(failureRate())) {
          return Promise.reject(new Error('The storage failed.'));
        }
        if (value === undefined) {
          view.value.delete(key);
        } else {
          view.value.set(key, { text: JSON.stringify(value) });
        }
        return new Promise((resolve) => {
          waiting.push(resolve);
          if (waiting.length === 1) {
            host.later(random.whole(0, 1), send);
          }
        });
      },
    };
  }

  get text(): string {
    return JSON.stringify([...this.#written].map(([key, { text }]) => [key, text]));
  }

  #write(value: Cells, from: object): void {
    this.#written = value;
    for (const other of this.#windows) {
      if (other !== from) {
        other.host.later(this.#random.whole(...NEWS_MILLIS), () => (other.value = new Map(value)));
      }
    }
  }
}
