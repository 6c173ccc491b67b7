import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../database.ts';
import { pick, randomId, seededRandom, type Random } from '../random.ts';
import type { TokenStore } from './tokens.ts';
import { userUrn } from '../users.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

const purposes = [
  'airflow',
  'dbt',
  'notebook',
  'backfill',
  'nightly export',
  'lineage check',
  'schema watch',
  'data quality',
  'ci',
];
const places = ['staging', 'production', 'laptop', 'sandbox', 'eu-west', 'warehouse'];
const owners = ['admin', 'analyst', 'steward', 'operator'];

/** Time until the expiry: some long past, some within days, some in months, some never. */
const expiries: readonly ((random: Random) => number | null)[] = [
  (random) => -Math.round((1 + random() * 60) * day),
  (random) => Math.round((2 + random() * 22) * hour),
  (random) => Math.round((1 + random() * 6) * day),
  (random) => Math.round((8 + random() * 22) * day),
  (random) => Math.round((40 + random() * 300) * day),
  (random) => Math.round((40 + random() * 300) * day),
  () => null,
];

/** Durations that every server offers: a token expires one of them after its creation. */
const durations = [30 * day, 90 * day, 180 * day, 365 * day];

/** Issues `count` tokens of four owners, every fifth by the admin for another user. Their strings are discarded. */
export function addSampleTokens(database: DatabaseSync, tokens: TokenStore, count: number, now: number): void {
  const random = seededRandom(2);
  inTransaction(database, () => {
    for (let number = 0; number < count; number += 1) {
      const owner = number % 5 === 4 ? 'admin' : (owners[number % owners.length] ?? 'admin');
      const actor = number % 5 === 4 ? pick(random, owners.slice(1)) : owner;
      const distance = (expiries[number % expiries.length] ?? (() => null))(random);
      const expiresAt = distance === null ? null : now + distance;
      const purpose = pick(random, purposes);
      tokens.issue({
        type: 'PERSONAL',
        name: `${purpose} ${pick(random, places)} ${number + 1}`,
        description: random() < 0.4 ? `Made for the ${purpose} job` : null,
        actorUrn: userUrn(actor),
        ownerUrn: userUrn(owner),
        createdAt:
          expiresAt === null ? now - Math.round((1 + random() * 200) * day) : creationOf(expiresAt, now, random),
        expiresAt,
        tokenKey: randomId(random, 22),
      });
    }
  });
}

/** A moment before `now` from which one of the durations ends at the expiry. */
function creationOf(expiresAt: number, now: number, random: Random): number {
  const fitting = durations.filter((duration) => expiresAt - duration < now);
  return expiresAt - pick(random, fitting);
}
