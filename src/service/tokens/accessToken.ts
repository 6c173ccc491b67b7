/** One access token of a listing (PROTOCOL.md §5.1). */
import * as v from 'valibot';
import { IDENTIFIER } from '../server/identifiers.ts';
import { redactTokens, plainLine, plainLineKeepingEnds } from '../failure/redaction.ts';

/** A server with nothing but the interface description returns the first three only. */
export interface AccessToken {
  readonly urn: string;
  /** Argument of revokeAccessToken. */
  readonly id: string;
  /** The user that the token acts as. */
  readonly actorUrn: string;
  /** The user who created it. */
  readonly ownerUrn?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Unix time in ms. */
  readonly createdAt?: number | undefined;
  /** Unix time in ms; null: never; undefined: unknown. */
  readonly expiresAt?: number | null | undefined;
}

/** In characters. Longer names are not typed by a user. */
const LONGEST_NAME = 200;
const LONGEST_DESCRIPTION = 2_000;

/** The latest possible date. Formatting fails beyond it. */
const LAST_MOMENT = 8_640_000_000_000_000;
const TIME = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(LAST_MOMENT));
const TEXT = v.fallback(v.nullish(v.string()), undefined);

const ROW = v.object({
  urn: v.fallback(v.optional(IDENTIFIER), undefined),
  id: IDENTIFIER,
  actorUrn: v.fallback(IDENTIFIER, ''),
  ownerUrn: v.fallback(v.optional(IDENTIFIER), undefined),
  name: TEXT,
  description: TEXT,
  createdAt: v.fallback(v.optional(TIME), undefined),
  /** Missing or null means never, if the server reports expiry at all. */
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

export function tokenUrn(id: string): string {
  return `urn:li:dataHubAccessToken:${id}`;
}

/**
 * Reads a row of a listing; empty if it is unusable, so that one bad row does not hide the others.
 * @param reportsExpiry True if the field was requested.
 */
export function parseTokenRow(row: unknown, reportsExpiry: boolean): AccessToken[] {
  const parsed = v.safeParse(ROW, row);
  if (!parsed.success) {
    return [];
  }
  const { urn, id, actorUrn, ownerUrn, name, description, createdAt, expiresAt } = parsed.output;
  return [
    {
      urn: urn ?? tokenUrn(id),
      id,
      actorUrn,
      ownerUrn,
      name: showableName(name),
      description: showableText(description, LONGEST_DESCRIPTION),
      createdAt,
      // An invalid time must not look like "never".
      expiresAt: reportsExpiry && expiresAt !== -1 ? expiresAt : undefined,
    },
  ];
}

/** Makes a server's text showable; undefined if nothing is left of it. */
export function showableText(text: string | null | undefined, longest: number): string | undefined {
  return redactTokens(plainLine(text ?? '', longest)) || undefined;
}

/** Makes a token's name showable. Long ones lose their middle: job names often differ only at the end. */
export function showableName(name: string | null | undefined): string | undefined {
  return redactTokens(plainLineKeepingEnds(name ?? '', LONGEST_NAME)) || undefined;
}
