/** VS Code's storage with several windows: one value for all keys, written late, so that writes get lost. */
import { Memory } from '../memory.ts';

export interface LossyWindow {
  readonly memory: Memory;
  /** Writes this window's values to all other windows, which lose their unwritten ones. */
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

/** Updates of a `Memory` are done when they return. */
function replace(memory: Memory, by: Memory): void {
  const values = by.keys().map((key) => [key, by.get<unknown>(key)] as const);
  for (const key of memory.keys()) void memory.update(key, undefined);
  for (const [key, value] of values) void memory.update(key, value);
}
