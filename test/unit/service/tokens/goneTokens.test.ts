import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ME } from '../clients.ts';
import { answering } from '../tokenServer.ts';
import type { SeenRequest } from '../wireServer.ts';

const row = (id: string): object => ({ urn: `urn:${id}`, id, actorUrn: ME, ownerUrn: ME, name: 'x' });

/** A listing with these rows from that one on. */
const listing =
  (rowsFrom: (start: number) => readonly (object | null)[]): ((request: SeenRequest) => object) =>
  ({ body }) => {
    const { start } = (JSON.parse(body) as { variables: { start: number } }).variables;
    return { data: { listAccessTokens: { total: 1_000_000, tokens: rowsFrom(start) } } };
  };
const rows = (first: number, count: number): object[] =>
  Array.from({ length: Math.max(0, count) }, (_, index) => row(`t${first + index}`));

for (const [what, isGone, rowsFrom, requests] of [
  [
    'a listing that ends with an empty page lacks it',
    true,
    (start: number) => rows(start, 230 - start).slice(0, 100),
    4,
  ],
  ['a page without readable rows is on the way', true, (start: number) => [[null], [row('t1')]][start] ?? [], 3],
  ['no page has a readable row', false, () => [null], 10],
  ['every tenth page has one', false, (start: number) => [start % 10 === 9 ? row(`t${start}`) : null], 100],
  ['there are more pages than a hundred', false, (start: number) => rows(start, 1), 100],
  ['the server ignores the start of a page that ends', true, () => rows(0, 2), 2],
  ['the server ignores the start of a page that is full', false, () => rows(0, 100), 2],
] as const) {
  test(`A token that may have been revoked is ${isGone ? 'gone' : 'unknown'} if ${what}`, async (context) => {
    const { service, server, pauses } = await answering(context, [listing(rowsFrom)]);
    assert.deepEqual(await service.tokens.findGoneTokens(['t1', 'gone'], { kind: 'all' }), isGone ? ['gone'] : []);
    assert.equal(server.requests.length, requests);
    assert.deepEqual(pauses, [], 'nothing is waited for');
  });
}
