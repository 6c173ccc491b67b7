'use strict';
// Ends waits at once in an extension host, for tests that would take minutes. While the file that the environment
// names exists, timers of the extension under test fire as soon as it waits for no response, and the clocks jump to
// their time. Preloaded with --require. Does nothing in any other process.
const { existsSync } = require('node:fs');

/** Shorter timers take their real time, in ms. */
const SHORTEST_MS = 250;
/** Longer timers wait for the end of a day or close a notice, in ms. */
const LONGEST_MS = 35_000;
const TICK_MS = 15;
/** Ticks without a request before a timer fires, because a response may be followed by the next request. */
const QUIET_TICKS = 3;

const namedFile = process.env['METADATA_SERVICE_TEST_QUICK_TIME'];
if (namedFile !== undefined && process.argv.includes('--type=extensionHost')) install(namedFile);

function install(file) {
  const { setTimeout: setReal, clearTimeout: clearReal, fetch: fetchReal } = globalThis;
  const realNow = Date.now;
  const realMonotonic = performance.now.bind(performance);
  /** Advance of the clocks, in whole ms. The time of day is reset once waits take their real time again. */
  let ahead = 0;
  let aheadOfDay = 0;
  let requests = 0;
  let quietTicks = 0;
  /** @type {Map<object, { due: number, run: () => void }>} */
  const waiting = new Map();
  const monotonic = () => realMonotonic() + ahead;

  Date.now = () => realNow() + aheadOfDay;
  performance.now = monotonic;

  globalThis.setTimeout = Object.assign((callback, millis = 0, ...values) => {
    if (!(millis >= SHORTEST_MS && millis <= LONGEST_MS) || !isWait(new Error().stack))
      return setReal(callback, millis, ...values);
    const run = () => {
      waiting.delete(timer);
      clearReal(timer);
      callback(...values);
    };
    const timer = setReal(run, millis);
    waiting.set(timer, { due: monotonic() + millis, run });
    return timer;
  }, setReal);

  globalThis.clearTimeout = (timer) => {
    waiting.delete(timer);
    clearReal(timer);
  };

  globalThis.fetch = async (...request) => {
    requests += 1;
    try {
      const response = await fetchReal(...request);
      if (!existsSync(file)) return response;
      requests += 1;
      void response
        .clone()
        .arrayBuffer()
        .catch(() => undefined)
        .finally(() => (requests -= 1));
      return response;
    } finally {
      requests -= 1;
    }
  };

  setInterval(() => {
    if (!existsSync(file)) {
      aheadOfDay = 0;
      return;
    }
    quietTicks = requests === 0 ? quietTicks + 1 : 0;
    if (waiting.size === 0 || quietTicks < QUIET_TICKS) return;
    const [next] = [...waiting.values()].toSorted((a, b) => a.due - b.due);
    const skipped = Math.max(0, Math.ceil(next.due - monotonic()));
    ahead += skipped;
    aheadOfDay += skipped;
    quietTicks = 0;
    next.run();
  }, TICK_MS).unref();
}

/**
 * True for a wait of the extension: the caller's line has its file. False for VS Code's timers, and for the limit of a
 * request (from `Transport.exchange` or `TimeLimit.restart`): VS Code may still be reading its credential.
 */
function isWait(stack) {
  const [, , caller = '', ...callers] = stack.split('\n', 5);
  const isLimit = callers.some((one) => /\b(?:exchange|restart) /.test(one));
  return caller.includes('/dist/') && !caller.includes('/lib/vscode/') && !isLimit;
}
