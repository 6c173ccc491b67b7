/** What V8 saw executed. */
import { Session } from 'node:inspector';
import type { Profiler } from 'node:inspector';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { relative } from 'node:path';
import { root } from '../../paths.ts';

/** Places of a source that were not reached, from and to; a source that was not loaded is missing. */
export type Coverage = Readonly<Record<string, readonly (readonly [number, number])[]>>;

/** Everything that is loaded from now on. */
export class CoverageSession {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Of the sources that were loaded since the last time. */
  take(): Coverage {
    let scripts: readonly Profiler.ScriptCoverage[] = [];
    // The session is of this thread: it answers before it returns.
    this.#session.post('Profiler.takePreciseCoverage', (_error, answer) => (scripts = answer?.result ?? []));
    const folder = pathToFileURL(root).href;
    const ours = scripts.filter(({ url }) => url.startsWith(`${folder}src/`));
    return Object.fromEntries(ours.map((script) => [pathOf(script.url), unreached(script)]));
  }
}

function pathOf(url: string): string {
  return relative(root, fileURLToPath(url.replace(/\?.*/, ''))).replaceAll('\\', '/');
}

/** V8 nests ranges: the innermost tells. */
function unreached({ functions }: Profiler.ScriptCoverage): [number, number][] {
  const ranges = functions
    .flatMap((one) => one.ranges)
    .toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const edges = [...new Set(ranges.flatMap(({ startOffset, endOffset }) => [startOffset, endOffset]))].toSorted(
    (a, b) => a - b,
  );
  const result: [number, number][] = [];
  edges.slice(0, -1).forEach((from, index) => {
    const to = edges[index + 1] ?? from;
    if (ranges.findLast((range) => range.startOffset <= from && range.endOffset >= to)?.count !== 0) return;
    if (result.at(-1)?.[1] === from) result.splice(-1, 1, [result.at(-1)?.[0] ?? from, to]);
    else result.push([from, to]);
  });
  return result;
}
