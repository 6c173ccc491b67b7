/** Behaviours that differ between installations of the same version. */
export interface Quirks {
  /** The GraphQL schema answers introspection. */
  readonly introspection: boolean;
  /** Decimal separator of percentages, by the server's locale. */
  readonly decimalSeparator: '.' | ',';
  /**
   * The platform's refresh interval for indices, in ms. -1: none. null: the cluster's own, a second, and only while an
   * index is searched. By default as in the profile.
   */
  readonly refreshIntervalMillis: number | null;
  /** Copies of each index, not counting the primary. */
  readonly replicas: number;
}
