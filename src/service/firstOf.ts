import * as v from 'valibot';

/** A list from outside, cut to its first members before anybody looks at one: whoever sends it says how long it is. */
export function firstOf(most: number): v.GenericSchema<unknown, unknown[]> {
  return v.pipe(
    v.custom<unknown[]>(Array.isArray),
    v.transform((members) => members.slice(0, most)),
  );
}
