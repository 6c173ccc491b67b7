import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { handleOf, subjectOf } from '../../../src/ui/rowHandles.ts';

const ROW = { connectionId: 'a6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e01', token: { id: 'HnMJylxuowJ1FKN74BbGogLvXCS4w' } };

suite('A handle', () => {
  test('is always the same for a row, and leads back to it', () => {
    assert.equal(handleOf(ROW), handleOf(ROW));
    assert.equal(subjectOf(handleOf(ROW)), ROW);
    assert.notEqual(handleOf({ ...ROW }), handleOf(ROW));
  });

  test("has no content, and can't be given any", () => {
    const handle = handleOf(ROW);
    assert.deepEqual(Reflect.ownKeys(handle), []);
    assert.equal(Object.getPrototypeOf(handle), Object.prototype);
    assert.ok(Object.isFrozen(handle));
  });

  test('cannot be made by others', () => {
    const handle = handleOf(ROW);
    const forged = [
      ROW,
      Object.freeze({}),
      structuredClone(handle),
      Object.create(handle) as object,
      new Proxy(handle, {}),
      [handle],
      ROW.connectionId,
      null,
      undefined,
    ];
    assert.deepEqual(
      forged.map(subjectOf),
      forged.map(() => undefined),
    );
  });
});
