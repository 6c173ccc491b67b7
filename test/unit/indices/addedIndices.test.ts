import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { AddedIndices } from '../../../src/indices/addedIndices.ts';
import { Memory } from '../memory.ts';

const PROFILE = { entityType: 'dataset', aspect: 'datasetProfile' };
const OPERATION = { entityType: 'dataset', aspect: 'operation' };

let memory: Memory;
let added: AddedIndices;

beforeEach(() => {
  memory = new Memory();
  added = new AddedIndices(memory);
});

suite('Indices that were added by name', () => {
  test('are remembered for their connection, in the order in which they were added, beyond the window', async () => {
    await added.add('a', PROFILE);
    await added.add('a', OPERATION);
    await added.add('b', OPERATION);
    const next = new AddedIndices(memory);
    assert.deepEqual([next.of('a'), next.of('b'), next.of('c')], [[PROFILE, OPERATION], [OPERATION], []]);
  });

  test('are there once for each spelling, the last one added at the end', async () => {
    const spelled = { ...PROFILE, aspect: 'DATASETPROFILE' };
    for (const name of [PROFILE, OPERATION, spelled, { ...PROFILE, sizeBytes: 7 }]) await added.add('a', name);
    assert.deepEqual(memory.get('addedIndices.a'), [OPERATION, spelled, PROFILE]);
  });

  test('are forgotten one by one, and with their connection', async () => {
    await added.add('a', PROFILE);
    await added.add('a', OPERATION);
    await added.add('b', PROFILE);
    await added.forget('a', PROFILE);
    assert.deepEqual(added.of('a'), [OPERATION]);
    await added.forgetConnection('a');
    assert.deepEqual([added.of('a'), memory.keys()], [[], ['addedIndices.b']]);
  });

  for (const damaged of [{ indices: [PROFILE] }, [7], [{ entityType: '../dataset', aspect: 'operation' }]]) {
    test(`are none in a damaged value, until one is added: ${JSON.stringify(damaged)}`, async () => {
      await memory.update('addedIndices.a', damaged);
      assert.deepEqual(added.of('a'), []);
      await added.add('a', PROFILE);
      assert.deepEqual(added.of('a'), [PROFILE]);
    });
  }
});
