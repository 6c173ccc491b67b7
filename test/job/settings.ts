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

/** A text of the shell, with quotes in it as `quoted` writes them. */
const QUOTED = /'(?:[^']|'\\'')*'/.source;

/** The script with other settings. */
export function filledIn(script: string, settings: JobSettings): string {
  const { url, indices, stateIndices, pause, maxHours, batchSize, looks, answerSeconds } = settings;
  const places: readonly [RegExp, string | number | undefined][] = [
    [new RegExp(`(?<=^GMS_URL=)${QUOTED}`, 'm'), url && quoted(url)],
    [new RegExp(`(?<=^INDICES=)${QUOTED}`, 'm'), indices && quoted(['', ...indices, ''].join('\n'))],
    [new RegExp(`(?<=^STATE_INDICES=)${QUOTED}`, 'm'), stateIndices === undefined ? undefined : quoted(stateIndices)],
    [/(?<=^PAUSE=)\S+/m, pause],
    [/(?<=^MAX_HOURS=)\S+/m, maxHours],
    [/(?<=^BATCH_SIZE=)\S+/m, batchSize],
    [/(?<=\$still -lt )\d+/, looks],
    [/(?<=\*:)\d+(?=:0\) problem="ended early")/, looks],
    [/(?<=--max-time )\d+/, answerSeconds],
  ];
  return places.reduce((text, [place, by]) => (by === undefined ? text : replaced(text, place, `${by}`)), script);
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
