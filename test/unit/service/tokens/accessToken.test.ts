import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parseTokenRow } from '../../../../src/service/tokens/accessToken.ts';

const ROW = {
  urn: 'urn:li:dataHubAccessToken:HnMJylxuowJ1FKN74BbGogLvXCS4w+fsd3MZdI35+8A=',
  id: 'HnMJylxuowJ1FKN74BbGogLvXCS4w+fsd3MZdI35+8A=',
  name: 'my personal token',
  description: 'ci',
  actorUrn: 'urn:li:corpuser:datahub',
  ownerUrn: 'urn:li:corpuser:admin',
  createdAt: 1_724_000_000_000,
  expiresAt: 1_724_003_600_000,
};

suite('A listed token', () => {
  for (const [expiresAt, told, read] of [
    [null, true, null],
    [undefined, true, null],
    [null, false, undefined],
    [0, true, 0],
    ['soon', true, undefined],
    [-5, true, undefined],
    [1e300, true, undefined],
    [1.5, true, undefined],
    [{}, true, undefined],
  ] as const) {
    const source = told ? 'was listed' : 'was not requested';
    test(`expires ${String(read)} when ${JSON.stringify(expiresAt)} ${source}`, () => {
      assert.equal(parseTokenRow({ ...ROW, expiresAt }, told)[0]?.expiresAt, read);
    });
  }

  const nameOf = (name: unknown): string | undefined => parseTokenRow({ ...ROW, name }, true)[0]?.name;

  for (const [listed, name] of [
    ['good\u202Elive\nname', 'good live name'],
    [' \n ', undefined],
    [7, undefined],
  ] as const) {
    test(`has the presentable name ${name} of ${JSON.stringify(listed)}`, () => assert.equal(nameOf(listed), name));
  }

  test('with a name that is too long keeps its beginning and its end, by which long names differ', () => {
    const job = `nightly ingestion of ${'a warehouse, '.repeat(20)}`;
    assert.match(nameOf(`${job}table 1`) ?? '', /^nightly ingestion of .*….*table 1$/);
    assert.equal(nameOf(`${job}table 1`)?.length, 200);
  });

  test('is omitted without an ID that could be sent back', () => {
    const rows = [undefined, '', 'a\nb'].map((id) => Object.assign({}, ROW, { id }));
    for (const row of [...rows, null, 'token', [ROW]]) {
      assert.deepEqual(parseTokenRow(row, true), []);
    }
  });

  test('has a URN even if none was listed, and may lack its actor', () => {
    const [token] = parseTokenRow({ id: 'abc' }, true);
    assert.deepEqual([token?.urn, token?.actorUrn], ['urn:li:dataHubAccessToken:abc', '']);
  });

  test('always has valid dates and one-line texts', () => {
    const field = fc.oneof(fc.string(), fc.double(), fc.integer(), fc.constant(null), fc.anything());
    fc.assert(
      fc.property(
        fc.record({
          urn: field,
          id: fc.oneof(fc.string({ minLength: 1 }), field),
          actorUrn: field,
          ownerUrn: field,
          name: field,
          description: field,
          createdAt: field,
          expiresAt: field,
        }),
        (row) => {
          for (const token of parseTokenRow(row, true)) {
            for (const id of [token.id, token.urn, token.actorUrn || 'unreported', token.ownerUrn ?? 'unreported']) {
              assert.match(id, /^[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}]{1,1100}$/u);
            }
            assert.doesNotMatch([token.name, token.description].join(''), /[\n\r\u202E]/);
            for (const time of [token.createdAt, token.expiresAt]) {
              assert.ok(time === undefined || time === null || !Number.isNaN(new Date(time).getTime()));
            }
          }
        },
      ),
    );
  });
});
