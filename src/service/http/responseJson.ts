/** JSON in the responses of a server, which decides its length. */
import * as v from 'valibot';
import { parseJson } from '../../json.ts';

const parsedResponses = new WeakMap<object, { readonly json: unknown }>();

/** Parses the JSON of a response once, however often it is read: a long one takes half a second. */
export function responseJson(answer: { readonly text: string }): unknown {
  let known = parsedResponses.get(answer);
  if (known === undefined) {
    known = { json: parseJson(answer.text) };
    parsedResponses.set(answer, known);
  }
  return known.json;
}

/** Cuts a list from outside to its first members before reading them: the sender controls its length. */
export function boundedArray(most: number): v.GenericSchema<unknown, unknown[]> {
  return v.pipe(
    v.custom<unknown[]>(Array.isArray),
    v.transform((members) => members.slice(0, most)),
  );
}
