/** Errors of the engine, in the words of the servers' own engine (graphql-java), which clients meet in the field. */
export function inServerWords(errors: readonly unknown[], _query: string): readonly unknown[] {
  return errors;
}
