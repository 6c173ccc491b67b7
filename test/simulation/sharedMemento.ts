/** VS Code's global state, written late and at times lost: only what may be lost is kept there. */
import type { Memento } from '../../src/platform/storage.ts';
import type { Random } from './random.ts';
import { soon, type Host } from './storage.ts';

/** Share of updates that another window's update overwrites, since VS Code writes all keys at once. */
const LOST_UPDATES = 0.1;
/** The longest time until other windows see an update, in ms. */
const NEWS_MILLIS = 160;

type Values = Map<string, string>;

export class SharedMemento {
  readonly #random: Random;
  readonly #views: Values[] = [];
  readonly #written: Values = new Map();

  constructor(random: Random) {
    this.#random = random;
  }

  openIn(host: Host, failureRate: () => number): Memento {
    const random = this.#random;
    const view: Values = new Map(this.#written);
    this.#views.push(view);
    return {
      keys: () => [...view.keys()],
      get: <T>(key: string) => {
        const text = view.get(key);
        return text === undefined ? undefined : (JSON.parse(text) as T);
      },
      update: async (key, value) => {
        if (random.chance(failureRate())) {
          throw new Error('The storage failed.');
        }
        const text = value === undefined ? undefined : JSON.stringify(value);
        setIn(view, key, text);
        if (!random.chance(LOST_UPDATES)) {
          host.later(random.whole(0, NEWS_MILLIS), () => {
            [this.#written, ...this.#views].forEach((values) => setIn(values, key, text));
          });
        }
        await soon(host, random);
      },
    };
  }

  get text(): string {
    return JSON.stringify([...this.#written]);
  }
}

function setIn(values: Values, key: string, text: string | undefined): void {
  if (text === undefined) {
    values.delete(key);
  } else {
    values.set(key, text);
  }
}
