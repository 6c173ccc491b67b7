/** Parses and formats local dates and times. */
const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?\s*(Z|[+-]\d{2}:\d{2})?$/;

/** Unix time in ms; undefined for a date that doesn't exist. Defaults: local zone, midnight. */
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
  // Date rolls over (31 February becomes 3 March) and reads year 26 as 1926. Both are mistakes here.
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

/** `YYYY-MM-DD` in local time. */
export function localDate(moment: Date): string {
  return [
    paddedDigits(moment.getFullYear(), 4),
    paddedDigits(moment.getMonth() + 1, 2),
    paddedDigits(moment.getDate(), 2),
  ].join('-');
}

function paddedDigits(number: number, length: number): string {
  return String(number).padStart(length, '0');
}

/** Local start of a `YYYY-MM-DD` day, as Unix time in ms; undefined if invalid. */
export function startOfDay(text: string): number | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? parseLocalTime(text) : undefined;
}
