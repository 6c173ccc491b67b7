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
  /** How long an index replaced by a reindex goes on taking space, in ms. */
  readonly oldIndexMillis: number;
  /** Indices behind an alias are listed by their physical names, with neither entity type nor aspect. */
  readonly physicalNames: boolean;
  /** An index that a reindex left behind is listed with the entity type and aspect that its name begins with, like the one in use. */
  readonly namesReplaced: boolean;
}
