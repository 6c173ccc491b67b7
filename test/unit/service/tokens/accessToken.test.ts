import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parseTokenRow } from '../../../../src/service/tokens/accessToken.ts';
import { isIdentifier } from '../../../../src/service/server/identifiers.ts';

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
  test('is read with all fields of a current server', () => {
    assert.deepEqual(parseTokenRow(ROW, true), [ROW]);
  });

  test('is read with the three fields of the interface description', () => {
    const { urn, id, actorUrn } = ROW;
    assert.deepEqual(parseTokenRow({ urn, id, actorUrn }, false), [
      {
        urn,
        id,
        actorUrn,
        ownerUrn: undefined,
        name: undefined,
        description: undefined,
        createdAt: undefined,
        expiresAt: undefined,
      },
    ]);
  });

  for (const [expiresAt, told, read] of [
    [null, true, null],
    [undefined, true, null],
    [null, false, undefined],
    ['1724003600000', true, 1_724_003_600_000],
    [0, true, 0],
    ['soon', true, undefined],
    ['1e3', true, undefined],
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

  test('has a presentable name', () => {
    assert.equal(parseTokenRow({ ...ROW, name: 'good\u202Elive\nname' }, true)[0]?.name, 'good live name');
    assert.equal(parseTokenRow({ ...ROW, name: 'x'.repeat(10_000) }, true)[0]?.name?.length, 200);
    assert.equal(parseTokenRow({ ...ROW, name: ' \n ' }, true)[0]?.name, undefined);
    assert.equal(parseTokenRow({ ...ROW, name: 7, description: [] }, true)[0]?.name, undefined);
  });

  test('with a name that is too long keeps its beginning and its end, by which long names differ', () => {
    const read = (name: string): string => parseTokenRow({ ...ROW, name }, true)[0]?.name ?? '';
    const job = `nightly ingestion of ${'a warehouse, '.repeat(20)}`;
    assert.match(read(`${job}table 1`), /^nightly ingestion of .*….*table 1$/);
    assert.notEqual(read(`${job}table 1`), read(`${job}table 2`));
    assert.equal(read(`${job}table 1`).length, 200);
  });

  for (const [why, row] of Object.entries({
    'has no ID': { ...ROW, id: undefined },
    'has an empty ID': { ...ROW, id: '' },
    'has an ID that could not be sent back': { ...ROW, id: 'a\nb' },
    'is null': null,
    'is a text': 'token',
    'is a list': [ROW],
  })) {
    test(`is omitted if it ${why}`, () => {
      assert.deepEqual(parseTokenRow(row, true), []);
    });
  }

  test('has a URN even if none was listed', () => {
    assert.equal(parseTokenRow({ id: 'abc' }, true)[0]?.urn, 'urn:li:dataHubAccessToken:abc');
  });

  test('may lack its actor', () => assert.equal(parseTokenRow({ id: 'abc' }, true)[0]?.actorUrn, ''));

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
            assert.ok(
              [token.id, token.urn, token.actorUrn || 'unreported', token.ownerUrn ?? 'unreported'].every((id) =>
                isIdentifier(id, 1_100),
              ),
            );
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
