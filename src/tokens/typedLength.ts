/** A token's length as a person types it: "45 days", a bare number of days, or ISO 8601. */
import type { IsoDuration } from '../service/server/durations.ts';
import { isoMillis, isoOf } from '../service/isoDuration.ts';

/** What each unit is in ISO 8601. A bare "m" could be minutes or months, and is neither. */
const UNITS: readonly (readonly [RegExp, (count: string) => string])[] = [
  [/^h(?:ours?|rs?)?$/, (count) => `PT${count}H`],
  [/^(?:d(?:ays?)?)?$/, (count) => `P${count}D`],
  [/^w(?:eeks?|ks?)?$/, (count) => `P${count}W`],
  [/^mo(?:nths?)?$/, (count) => `P${count}M`],
  [/^y(?:ears?|rs?)?$/, (count) => `P${count}Y`],
];

/** The length, in days, hours, minutes and seconds, which every server understands alike; undefined when the text is none. */
export function typedLength(text: string): IsoDuration | undefined {
  const [, count = '', unit = ''] = /^0*(\d{1,5})\s*([a-z]*)$/.exec(text.trim().toLowerCase()) ?? [];
  const iso = UNITS.find(([name]) => name.test(unit))?.[1](count);
  const millis = isoMillis(text) ?? (count === '' || iso === undefined ? undefined : isoMillis(iso));
  return millis === undefined ? undefined : { iso: isoOf(millis) };
}
