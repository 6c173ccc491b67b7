import * as v from 'valibot';

/** JSON from outside: undefined instead of an exception, since what follows checks the shape anyway. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A list from outside, cut to its first members before anybody looks at one: whoever sends it says how long it is. */
export function firstOf(most: number): v.GenericSchema<unknown, unknown[]> {
  return v.pipe(
    v.custom<unknown[]>(Array.isArray),
    v.transform((members) => members.slice(0, most)),
  );
}
