/** Reads values from outside. Undefined instead of an exception, since callers check the shape anyway. */
import * as v from 'valibot';

/** Far above any real nesting. The parser needs seconds for millions of levels. */
const DEEPEST = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

export function parseJson(text: string): unknown {
  if (isNestedTooDeep(text)) {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Runs in linear time and stops early. */
function isNestedTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (inString) {
      if (character === BACKSLASH) {
        at++;
      } else if (character === QUOTE) {
        inString = false;
      }
    } else if (character === QUOTE) {
      inString = true;
    } else if (OPENING.has(character)) {
      depth++;
      if (depth > DEEPEST) {
        return true;
      }
    } else if (CLOSING.has(character)) {
      depth--;
    }
  }
  return false;
}

/** @returns undefined for anything that doesn't match. */
export function parsedAs<const Schema extends v.GenericSchema>(
  schema: Schema,
  data: unknown,
): v.InferOutput<Schema> | undefined {
  const parsed = v.safeParse(schema, data);
  return parsed.success ? parsed.output : undefined;
}
