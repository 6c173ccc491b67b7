/** The globals of time and network, as a window's copy of the extension sees them. */
import type { Host } from './host.ts';

/** Names of all that `globalsOf` returns. */
export const GLOBALS = ['globalThis', 'Date', 'performance', 'fetch', 'setTimeout', 'clearTimeout', 'crypto'] as const;
export type Globals = Readonly<Record<(typeof GLOBALS)[number], unknown>>;

export function globalsOf(host: Host): Globals {
  const { time } = host.machine;
  const own = {
    Date: class extends Date {
      constructor(...from: readonly unknown[]) {
        super(...((from.length === 0 ? [time.now()] : from) as [number]));
      }

      static override now(): number {
        return time.now();
      }
    },
    performance: { now: () => time.monotonic() },
    fetch: (input: string, init: RequestInit) => host.fetch(input, init),
    setTimeout: (run: (...given: unknown[]) => void, millis = 0, ...given: unknown[]) => {
      const timer = { cancel: host.after(millis, () => run(...given)), unref: () => timer };
      return timer;
    },
    clearTimeout: (timer?: { readonly cancel: () => void }) => timer?.cancel(),
    crypto: cryptoOf(host),
  };
  // Assigned, some of them would replace the real ones.
  return { globalThis: Object.create(globalThis, Object.getOwnPropertyDescriptors(own)), ...own };
}

function cryptoOf(host: Host): object {
  const { subtle } = crypto;
  return {
    randomUUID: () => crypto.randomUUID(),
    getRandomValues: (values: Uint8Array) => crypto.getRandomValues(values as Uint8Array<ArrayBuffer>),
    subtle: { digest: (...from: Parameters<typeof subtle.digest>) => host.read(() => subtle.digest(...from)) },
  };
}
