/** An index as a truncation names it. */
export interface IndexTarget {
  readonly entityType: string;
  readonly aspect: string;
}
