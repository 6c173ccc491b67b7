/** One access token as a listing tells of it (PROTOCOL.md §5.1). */
import * as v from 'valibot';
import { IDENTIFIER } from '../server/identifiers.ts';
import { redactTokens, plainLine, plainLineKeepingEnds } from '../failure/redaction.ts';

/** A server that follows the interface description to the letter gives the first three only. */
export interface AccessToken {
  readonly urn: string;
  /** What revokeAccessToken takes. */
  readonly id: string;
  /** The actor that the token acts as. */
  readonly actorUrn: string;
  /** The actor that created it. */
  readonly ownerUrn?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Unix time in ms. */
  readonly createdAt?: number | undefined;
  /** Unix time in ms; null: never; undefined: the server does not tell. */
  readonly expiresAt?: number | null | undefined;
}

/** Names and descriptions are shown: longer ones, and characters that disguise, are none that a person gave. */
const LONGEST_NAME = 200;
const LONGEST_DESCRIPTION = 2_000;

/** The last moment that a date can be: beyond it, nothing that formats dates works. */
const LAST_MOMENT = 8_640_000_000_000_000;
/** Times are longs: a number in JSON, a text where a proxy or a gateway plays safe. */
const TIME = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,16}$/), v.transform(Number))]),
  v.integer(),
  v.minValue(0),
  v.maxValue(LAST_MOMENT),
);
const TEXT = v.fallback(v.nullish(v.string()), undefined);

const ROW = v.object({
  urn: v.fallback(v.optional(IDENTIFIER), undefined),
  id: IDENTIFIER,
  actorUrn: v.fallback(IDENTIFIER, ''),
  ownerUrn: v.fallback(v.optional(IDENTIFIER), undefined),
  name: TEXT,
  description: TEXT,
  createdAt: v.fallback(v.optional(TIME), undefined),
  /** Missing or null: never, where the server tells expiry at all. */
  expiresAt: v.fallback(
    v.union([
      v.pipe(
        v.nullish(v.null()),
        v.transform(() => null),
      ),
      TIME,
    ]),
    -1,
  ),
});

/**
 * A row of a listing, or nothing when it cannot be used: one bad row is no reason to show none.
 * @param tellsExpiry Whether the field was asked for.
 */
export function parseTokenRow(row: unknown, tellsExpiry: boolean): AccessToken[] {
  const parsed = v.safeParse(ROW, row);
  if (!parsed.success) {
    return [];
  }
  const { urn, id, actorUrn, ownerUrn, name, description, createdAt, expiresAt } = parsed.output;
  return [
    {
      urn: urn ?? `urn:li:dataHubAccessToken:${id}`,
      id,
      actorUrn,
      ownerUrn,
      name: showableName(name),
      description: showableText(description, LONGEST_DESCRIPTION),
      createdAt,
      // Nonsense must not look like "never".
      expiresAt: tellsExpiry && expiresAt !== -1 ? expiresAt : undefined,
    },
  ];
}

/** A server's text as one that may be shown; undefined when nothing is left of it. */
export function showableText(text: string | null | undefined, longest: number): string | undefined {
  return text === null || text === undefined ? undefined : redactTokens(plainLine(text, longest)) || undefined;
}

/** A token's name as one that may be shown. What is too long is left out in the middle: job names often differ in their end alone. */
export function showableName(name: string | null | undefined): string | undefined {
  return name === null || name === undefined
    ? undefined
    : redactTokens(plainLineKeepingEnds(name, LONGEST_NAME)) || undefined;
}
