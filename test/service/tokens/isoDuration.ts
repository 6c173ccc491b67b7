const second = 1000;
const day = 24 * 60 * 60 * second;

/** Years, months, weeks, days, hours, minutes and seconds, in the order of ISO 8601. */
const partMillis = [365 * day, 30 * day, 7 * day, day, 60 * 60 * second, 60 * second, second];
const pattern =
  /^P(?!$)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/**
 * Length of an ISO 8601 duration in ms, by the servers' rules: a month is 30 days, a year 365, and case does not
 * matter.
 * @throws Error with the servers' own sentence if it isn't one or its length is zero
 */
export function isoMillis(text: string): number {
  if (text.trim() === '') {
    throw new Error('Access token duration must not be blank');
  }
  const match = pattern.exec(text.trim().toUpperCase());
  if (!match) {
    throw new Error(`Invalid ISO-8601 access token duration: ${text}`);
  }
  const millis = partMillis.reduce((sum, length, part) => sum + Math.round(Number(match[part + 1] ?? 0) * length), 0);
  if (millis <= 0) {
    throw new Error(`Access token duration must be positive: ${text}`);
  }
  return millis;
}
