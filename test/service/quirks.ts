/** Behaviours that differ between installations of the same version. */
export interface Quirks {
  /** Introspection of the GraphQL schema is answered. */
  readonly introspection: boolean;
  /** A revoked token that the search index still knows makes the listing fail, or is left out of it. */
  readonly staleRows: 'fail' | 'omit';
  /** How many more tokens the listing's total claims than there are. */
  readonly phantomTokens: number;
  /** Between the digits of a percentage, as the locale of the server's process has it. */
  readonly decimalSeparator: '.' | ',';
  /** Which of two wordings refuses durations: that of the first version of the rules, or the one that came after it. */
  readonly durationWording: 'early' | 'later';
  /** The refresh interval of indices, as the platform is configured, in ms; -1: none; null: the cluster's own, a second. */
  readonly refreshIntervalMillis: number | null;
  /** Copies of each index beside the primary. */
  readonly replicas: number;
  /** Shards of each index in a real search cluster. */
  readonly shards: number;
  /** A deletion in a database is answered when it has ended, or at once as in a later version of the pull request. */
  readonly databaseAnswers: 'atEnd' | 'atOnce';
}
