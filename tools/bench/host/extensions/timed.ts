import type { ActivationFigures } from './task.ts';

/** VS Code's marks in this process, from which it computes the time of an activation. */
interface PerformanceMarks {
  getMarks(): readonly { readonly name: string; readonly startTime: number }[];
}

/**
 * Times an activation. VS Code takes its marks by `Date.now()`, in whole ms. During the activation that returns
 * fractions, so that an empty extension has figures too.
 */
export async function timed(
  id: string,
  activation: () => PromiseLike<unknown>,
): Promise<Pick<ActivationFigures, 'wallMs' | 'codeLoadMs' | 'activateMs'>> {
  const { now } = Date;
  Date.now = () => performance.timeOrigin + performance.now();
  try {
    const start = performance.now();
    await activation();
    const wallMs = performance.now() - start;
    return {
      wallMs,
      codeLoadMs: between(id, 'willLoadExtensionCode', 'didLoadExtensionCode'),
      activateMs: between(id, 'willActivateExtension', 'didActivateExtension'),
    };
  } finally {
    Date.now = now;
  }
}

function between(id: string, from: string, to: string): number | undefined {
  const { MonacoPerformanceMarks: marks } = globalThis as { MonacoPerformanceMarks?: PerformanceMarks };
  const at = (name: string): number | undefined =>
    marks?.getMarks().find((mark) => mark.name === `code/extHost/${name}/${id}`)?.startTime;
  const [start, end] = [at(from), at(to)];
  return start === undefined || end === undefined ? undefined : end - start;
}
