import { escaped } from '../../tools/escaped.ts';

/** Settings at the top of the script, as its owner writes them. */
export interface JobSettings {
  /** By default that of the service, as the extension fills it in. */
  readonly url?: string;
  /** Lines with entity type, aspect, days, ceiling and all rows. */
  readonly indices?: readonly string[];
  readonly stateIndices?: string;
  /** Seconds. A short one by default. */
  readonly pause?: number;
  readonly maxHours?: number;
  readonly batchSize?: number;
  /** Looks without a change after which the judge gives up: not a setting, but a number in the script. */
  readonly looks?: number;
  /** Seconds after which curl gives up waiting for an answer: not a setting, but a number in the script. */
  readonly answerSeconds?: number;
}

/** Looks without a change after which the judge of the script gives up. */
const LOOKS = 120;
/** Seconds after which curl gives up waiting for an answer. */
const ANSWER_SECONDS = 300;

/** The script with other settings. */
export function filledIn(text: string, settings: JobSettings): string {
  const { url, indices, stateIndices, pause, maxHours, batchSize, looks, answerSeconds } = settings;
  const values: readonly [name: string, value: string | undefined][] = [
    ['GMS_URL', url && quoted(url)],
    ['INDICES', indices && quoted(['', ...indices, ''].join('\n'))],
    ['STATE_INDICES', stateIndices && quoted(stateIndices)],
    ['PAUSE', pause?.toString()],
    ['MAX_HOURS', maxHours?.toString()],
    ['BATCH_SIZE', batchSize?.toString()],
  ];
  const filled = values.reduce(
    (changed, [name, value]) =>
      value === undefined
        ? changed
        : replaced(changed, new RegExp(`^${name}=(?:'[^']*'|\\S+)`, 'm'), `${name}=${value}`),
    text,
  );
  return withNumber(
    withNumber(filled, [`$still -lt ${LOOKS} `, `*:${LOOKS}:`], LOOKS, looks),
    [`--max-time ${ANSWER_SECONDS} `],
    ANSWER_SECONDS,
    answerSeconds,
  );
}

/** The script with another number in some places. */
function withNumber(text: string, places: readonly string[], usual: number, other: number | undefined): string {
  if (other === undefined) return text;
  return places.reduce(
    (changed, place) => replaced(changed, new RegExp(escaped(place)), place.replace(`${usual}`, `${other}`)),
    text,
  );
}

/** A text of the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** @throws Error if there is no such place, so that no test runs without its settings */
function replaced(text: string, place: RegExp, by: string): string {
  if (!place.test(text)) throw new Error(`The script has no ${place.source}.`);
  return text.replace(place, () => by);
}
