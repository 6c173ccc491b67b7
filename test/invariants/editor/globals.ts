/** The globals of time and network, as a window's copy of the extension sees them. */
import { hostOf } from './host.ts';

const host = hostOf(import.meta.url);
const { time } = host;

class WindowDate extends globalThis.Date {
  constructor(...from: readonly unknown[]) {
    super(...((from.length === 0 ? [time.now()] : from) as [number]));
  }

  static override now(): number {
    return time.now();
  }
}

class WindowTimer {
  readonly cancel: () => void;

  constructor(millis: number, run: () => void) {
    this.cancel = host.after(millis, run);
  }

  unref(): this {
    return this;
  }
}

const timeout = (run: (...given: unknown[]) => void, millis = 0, ...given: unknown[]): WindowTimer =>
  new WindowTimer(millis, () => run(...given));
const clear = (timer: WindowTimer | undefined): void => timer?.cancel();

const abortSignal = {
  any: (signals: readonly AbortSignal[]) => globalThis.AbortSignal.any([...signals]),
  timeout: (millis: number) => {
    const stop = new AbortController();
    host.after(millis, () => stop.abort(new DOMException('The operation timed out.', 'TimeoutError')));
    return stop.signal;
  },
};

const { subtle } = globalThis.crypto;
const crypto = {
  randomUUID: () => globalThis.crypto.randomUUID(),
  getRandomValues: <T extends NodeJS.ArrayBufferView>(values: T) =>
    globalThis.crypto.getRandomValues(values as never) as T,
  subtle: { digest: (...from: Parameters<typeof subtle.digest>) => host.read(() => subtle.digest(...from)) },
};

const own = {
  Date: WindowDate,
  performance: { now: () => time.monotonic() },
  fetch: (input: string, init: RequestInit) => host.fetch(input, init),
  setTimeout: timeout,
  clearTimeout: clear,
  AbortSignal: abortSignal,
  crypto,
};
// Assigned, some of them would replace the real ones.
const all = Object.create(globalThis, Object.getOwnPropertyDescriptors(own)) as typeof globalThis;

export const { Date, performance, fetch, setTimeout, clearTimeout, AbortSignal } = own;
export { crypto };
export { all as globalThis };
