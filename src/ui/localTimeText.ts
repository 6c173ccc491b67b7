/** A date and time as people type it, in their own time zone. */
const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?\s*(Z|[+-]\d{2}:\d{2})?$/;

/**
 * Unix time in ms, or undefined when it is no date that exists. Without a zone it is local time; without a time, midnight.
 */
export function parseLocalTime(text: string): number | undefined {
  const match = TIME.exec(text.trim());
  if (match === null) {
    return undefined;
  }
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone] = match;
  const [y, m, d, h, min, s] = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  // Date rolls over what does not exist (31 February becomes 3 March, hour 24 another day, month 13 another year), and takes the year
  // 26 for 1926: here all are mistakes.
  const plain = new Date(Date.UTC(y, m - 1, d, h, min, s));
  if (plain.getUTCFullYear() !== y || plain.getUTCDate() !== d || min > 59 || s > 59) {
    return undefined;
  }
  const millis =
    zone === undefined
      ? new Date(y, m - 1, d, h, min, s).getTime()
      : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(millis) ? undefined : millis;
}

/** `YYYY-MM-DD` of a moment, where the person is. */
export function localDate(moment: Date): string {
  return [digits(moment.getFullYear(), 4), digits(moment.getMonth() + 1, 2), digits(moment.getDate(), 2)].join('-');
}

function digits(number: number, length: number): string {
  return String(number).padStart(length, '0');
}

/** When that day begins, where the person is: Unix time in ms; undefined when it is no date as `YYYY-MM-DD`, or none that exists. */
export function startOfDay(text: string): number | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? parseLocalTime(text) : undefined;
}
