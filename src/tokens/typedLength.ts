/** A token's length as a person types it: "45 days", a bare number of days, or ISO 8601. */
import { language } from '../language.ts';
import type { IsoDuration } from '../service/server/durations.ts';
import { isoMillis, isoOf } from '../service/isoDuration.ts';

interface Unit {
  /** As Intl calls it. */
  readonly name: string;
  readonly english: RegExp;
  readonly iso: (count: string) => string;
}

/** A bare "m" could be minutes or months, and is neither. */
const UNITS: readonly Unit[] = [
  { name: 'hour', english: /^h(?:ours?|rs?)?$/, iso: (count) => `PT${count}H` },
  { name: 'day', english: /^(?:d(?:ays?)?)?$/, iso: (count) => `P${count}D` },
  { name: 'week', english: /^w(?:eeks?|ks?)?$/, iso: (count) => `P${count}W` },
  { name: 'month', english: /^mo(?:nths?)?$/, iso: (count) => `P${count}M` },
  { name: 'year', english: /^y(?:ears?|rs?)?$/, iso: (count) => `P${count}Y` },
];

/** The length, in days, hours, minutes and seconds, which every server understands alike; undefined when the text is none. */
export function typedLength(text: string): IsoDuration | undefined {
  const [, count = '', typed = ''] = /^0*(\d{1,5})\s*([\p{L}\p{M}]*)$/u.exec(text.trim().toLowerCase()) ?? [];
  const unit = UNITS.find(({ name, english }) => english.test(typed) || isCalled(name, typed));
  const millis = isoMillis(text) ?? (count === '' || unit === undefined ? undefined : isoMillis(unit.iso(count)));
  return millis === undefined ? undefined : { iso: isoOf(millis) };
}

/** Whether the display language calls the unit so, of one or of several. */
function isCalled(unit: string, typed: string): boolean {
  const long = new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'long' });
  return [1, 2].some((count) =>
    long.formatToParts(count).some((part) => part.type === 'unit' && part.value.trim().toLowerCase() === typed),
  );
}
