import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { keptSetting } from '../database.ts';
import { readToken, signToken, type TokenClaims } from './jsonWebToken.ts';

/** A token in the primary store, without its string. Times are Unix milliseconds. */
export interface TokenRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly actorUrn: string;
  readonly ownerUrn: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export interface IssueRequest {
  readonly type: TokenClaims['type'];
  readonly name: string;
  readonly description?: string | null;
  readonly actorUrn: string;
  readonly ownerUrn: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** Makes the token string repeatable. Random if absent. */
  readonly tokenKey?: string;
}

export interface TokenStoreOptions {
  readonly issuer: string;
  /** Lag of the search index, in ms. */
  readonly lagMillis: number;
}

/** Access tokens of the server: issues, checks and revokes them. */
export class TokenStore {
  readonly #database: DatabaseSync;
  readonly #options: TokenStoreOptions;
  readonly #signingKey: string;
  readonly #salt: string;

  constructor(database: DatabaseSync, options: TokenStoreOptions) {
    this.#database = database;
    this.#options = options;
    this.#signingKey = keptSetting(database, 'tokenSigningKey', () => randomBytes(32).toString('base64'));
    this.#salt = keptSetting(database, 'tokenSalt', () => randomBytes(16).toString('base64'));
  }

  /** Creates a token: in the primary store at once, in the search index after the lag. */
  issue(request: IssueRequest): { readonly token: string; readonly record: TokenRecord } {
    const token = this.mint(request.type, request.actorUrn, request.expiresAt, request.tokenKey);
    const { name, description = null, actorUrn, ownerUrn, createdAt, expiresAt } = request;
    const record: TokenRecord = { id: this.idOf(token), name, description, actorUrn, ownerUrn, createdAt, expiresAt };
    this.#database
      .prepare('INSERT INTO token VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(record.id, name, description, actorUrn, ownerUrn, createdAt, expiresAt);
    this.#database
      .prepare('INSERT INTO token_document VALUES (?, ?, ?, ?, ?, ?, ?, NULL)')
      .run(record.id, name, actorUrn, ownerUrn, createdAt, expiresAt, createdAt + this.#options.lagMillis);
    return { token, record };
  }

  /** A token string that is not stored, as that of a signed-in session: no listing has it and nothing can revoke it. */
  mint(type: TokenClaims['type'], actorUrn: string, expiresAt: number | null, tokenKey: string = randomUUID()): string {
    const actorId = actorUrn.slice(actorUrn.lastIndexOf(':') + 1);
    return signToken(
      {
        version: '2',
        type,
        actorType: 'USER',
        actorId,
        jti: tokenKey,
        sub: actorId,
        iss: this.#options.issuer,
        ...(expiresAt === null ? {} : { exp: Math.floor(expiresAt / 1000) }),
      },
      this.#signingKey,
    );
  }

  /** User of a Bearer token; null if it is not valid. Using an expired one removes it, as on a real server. */
  check(token: string, now: number): string | null {
    const claims = readToken(token, this.#signingKey);
    if (!claims) {
      return null;
    }
    const id = this.idOf(token);
    if (claims.exp !== undefined && claims.exp * 1000 <= now) {
      this.#remove(id, now);
      return null;
    }
    return claims.type === 'SESSION' || this.find(id) !== null ? `urn:li:corpuser:${claims.actorId}` : null;
  }

  find(id: string): TokenRecord | null {
    const row = this.#database.prepare('SELECT * FROM token WHERE id = ?').get(id);
    return row ? recordOf(row) : null;
  }

  /** Every token of the primary store, oldest first. */
  all(): TokenRecord[] {
    return this.#database.prepare('SELECT * FROM token ORDER BY created_at, id').all().map(recordOf);
  }

  /**
   * Revokes a token.
   * @returns false if there is none
   */
  revoke(id: string, now: number): boolean {
    return this.#remove(id, now);
  }

  /** Identifier of a token: a salted hash of its string, 44 characters that may include `+`, `/` and `=`. */
  idOf(token: string): string {
    return createHash('sha256')
      .update(token + this.#salt)
      .digest('base64');
  }

  /** Brings the search index up to date, as it would be after the lag. */
  refreshIndex(now: number): void {
    this.#database
      .prepare('UPDATE token_document SET visible_from = min(visible_from, ?), visible_until = min(visible_until, ?)')
      .run(now, now);
  }

  #remove(id: string, now: number): boolean {
    const { changes } = this.#database.prepare('DELETE FROM token WHERE id = ?').run(id);
    this.#database
      .prepare('UPDATE token_document SET visible_until = ? WHERE id = ? AND visible_until IS NULL')
      .run(now + this.#options.lagMillis, id);
    return Number(changes) > 0;
  }
}

function recordOf(row: Record<string, unknown>): TokenRecord {
  return {
    id: String(row['id']),
    name: String(row['name']),
    description: row['description'] === null ? null : String(row['description']),
    actorUrn: String(row['actor_urn']),
    ownerUrn: String(row['owner_urn']),
    createdAt: Number(row['created_at']),
    expiresAt: row['expires_at'] === null ? null : Number(row['expires_at']),
  };
}
