/** JSON from outside: undefined instead of an exception, since what follows checks the shape anyway. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
