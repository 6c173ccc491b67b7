import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { DURATIONS, millisOf, offeredDurations } from '../../../../src/service/server/durations.ts';
import { SCHEMA_OF_0_14, SCHEMA_OF_TODAY } from '../clients.ts';

const DATAHUB = { product: 'DataHub' };
const DAY = 86_400_000;

suite('The durations offered', () => {
  test('leave out the week where a server has it in its schema only', () => {
    assert.deepEqual(
      offeredDurations(SCHEMA_OF_0_14, DATAHUB),
      DURATIONS.filter((duration) => duration !== 'ONE_WEEK'),
    );
    assert.ok(offeredDurations(SCHEMA_OF_TODAY, DATAHUB).includes('ONE_WEEK'));
    assert.ok(
      offeredDurations(SCHEMA_OF_0_14, { product: undefined }).includes('ONE_WEEK'),
      'nothing is known against it',
    );
  });

  test('are those of the server’s schema, where it tells', () => {
    assert.deepEqual(offeredDurations({ ...SCHEMA_OF_TODAY, durations: ['ONE_HOUR', 'NO_EXPIRY'] }, DATAHUB), [
      'ONE_HOUR',
      'NO_EXPIRY',
    ]);
    assert.equal(offeredDurations({ ...SCHEMA_OF_TODAY, durations: undefined }, DATAHUB).length, DURATIONS.length);
  });

  test('end with "never" and leave out what was refused', () => {
    assert.equal(offeredDurations(SCHEMA_OF_TODAY, DATAHUB).at(-1), 'NO_EXPIRY');
    assert.equal(offeredDurations(SCHEMA_OF_TODAY, DATAHUB, ['NO_EXPIRY']).at(-1), 'ONE_YEAR');
  });

  test('are those that the server says it allows, compared by how long they are', () => {
    const lengths = [30 * DAY, 3_600_000, 45 * DAY];
    assert.deepEqual(offeredDurations(SCHEMA_OF_TODAY, DATAHUB, [], { allowsNoExpiry: false, lengths }), [
      'ONE_HOUR',
      'ONE_MONTH',
      { iso: 'P45D' },
    ]);
    assert.deepEqual(offeredDurations(SCHEMA_OF_TODAY, DATAHUB, [], { allowsNoExpiry: true, lengths: [DAY] }), [
      'ONE_DAY',
      'NO_EXPIRY',
    ]);
  });

  test('hold no length that could not be asked for', () => {
    const policy = { allowsNoExpiry: undefined, lengths: [7 * DAY, 45 * DAY] };
    assert.deepEqual(offeredDurations(SCHEMA_OF_0_14, DATAHUB, ['NO_EXPIRY'], policy), []);
    // Where the enum lacks it, or has nothing behind it, a length is still one in ISO 8601.
    assert.deepEqual(offeredDurations({ ...SCHEMA_OF_TODAY, durations: ['ONE_DAY'] }, DATAHUB, [], policy), [
      { iso: 'P7D' },
      { iso: 'P45D' },
    ]);
  });

  test('stand in the order of their lengths, each once, and nothing else does', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 400 }).map((days) => days * DAY));
    fc.assert(
      fc.property(lengths, fc.option(fc.boolean(), { nil: undefined }), (allowed, allowsNoExpiry) => {
        const millis = offeredDurations(SCHEMA_OF_TODAY, DATAHUB, [], { allowsNoExpiry, lengths: allowed }).map(
          millisOf,
        );
        const expected: (number | null)[] = [...new Set(allowed)].toSorted((a, b) => a - b);
        assert.deepEqual(millis, allowsNoExpiry === false ? expected : [...expected, null]);
      }),
    );
  });
});
