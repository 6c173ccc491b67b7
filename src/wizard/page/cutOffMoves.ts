/** Where keys and the pointer bring a cut-off: by the calendar of the person, so that 2 PM stays 2 PM when clocks change. Unix times in ms. */

/** The cut-off so many days later, at the same time of day. */
export function daysLater(millis: number, days: number): number {
  const at = new Date(millis);
  at.setDate(at.getDate() + days);
  return at.getTime();
}

/** The cut-off so many months later: of a month that is shorter, its last day. */
export function monthsLater(millis: number, months: number): number {
  const at = new Date(millis);
  const day = at.getDate();
  at.setMonth(at.getMonth() + months);
  if (at.getDate() !== day) {
    at.setDate(0);
  }
  return at.getTime();
}

/** The start of the day that is nearest: who points at a chart means a day. At its end that is the end, and not tomorrow. */
export function nearestDay(millis: number, { end }: { readonly end: number }): number {
  const start = new Date(millis);
  start.setHours(0, 0, 0, 0);
  const next = daysLater(start.getTime(), 1);
  return millis - start.getTime() < next - millis ? start.getTime() : Math.min(next, end);
}

/** What a key of a slider does to a cut-off; undefined: nothing. One outside of the span stays, where a key would lead further out. */
export function movedByKey(
  key: string,
  millis: number,
  { start, end }: { readonly start: number; readonly end: number },
): number | undefined {
  const moves: Readonly<Record<string, () => number>> = {
    ArrowLeft: () => daysLater(millis, -1),
    ArrowDown: () => daysLater(millis, -1),
    ArrowRight: () => daysLater(millis, 1),
    ArrowUp: () => daysLater(millis, 1),
    PageDown: () => monthsLater(millis, -1),
    PageUp: () => monthsLater(millis, 1),
    Home: () => start,
    End: () => end,
  };
  const moved = moves[key]?.();
  return moved === undefined ? undefined : Math.min(Math.max(end, millis), Math.max(Math.min(start, millis), moved));
}
