/** VS Code's storage as several windows have it: one value for all keys, written whole and late, so that writes of others are lost. */
import { Memory } from '../memory.ts';

export interface LossyWindow {
  readonly memory: Memory;
  /** VS Code writes what this window has in mind, and tells all others of it: what they hadn't written yet is gone. */
  flush(): void;
}

export class LossyStorage {
  readonly #windows: Memory[] = [];
  readonly #written = new Memory();

  openWindow(): LossyWindow {
    const memory = new Memory();
    replace(memory, this.#written);
    this.#windows.push(memory);
    return {
      memory,
      flush: () => {
        replace(this.#written, memory);
        for (const other of this.#windows) replace(other, memory);
      },
    };
  }
}

/** Memory is fulfilled at once: its updates are done when they return. */
function replace(memory: Memory, by: Memory): void {
  const values = by.keys().map((key) => [key, by.get<unknown>(key)] as const);
  for (const key of memory.keys()) void memory.update(key, undefined);
  for (const [key, value] of values) void memory.update(key, value);
}
