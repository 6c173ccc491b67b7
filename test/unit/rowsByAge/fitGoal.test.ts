import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parsePageMessage } from '../../../src/pages/truncation/protocol.ts';
import { cutoffDaysBefore, MOST_DAYS, readDays, readGoal, type FitKind } from '../../../src/rowsByAge/fitGoal.ts';

suite('A limit', () => {
  for (const [kind, text, goal] of [
    ['deleteRows', '1000000', { kind: 'deleteRows', rows: 1_000_000 }],
    ['deleteRows', '1,000,000', { kind: 'deleteRows', rows: 1_000_000 }],
    ['deleteRows', '1.000.000', { kind: 'deleteRows', rows: 1_000_000 }],
    ['deleteRows', '1\u202f000', { kind: 'deleteRows', rows: 1_000 }],
    ['keepBytes', '5', { kind: 'keepBytes', bytes: 5e9 }],
    ['keepBytes', '0.25', { kind: 'keepBytes', bytes: 250e6 }],
    ['keepBytes', '0,25', { kind: 'keepBytes', bytes: 250e6 }],
    ['keepBytes', '0.01', { kind: 'keepBytes', bytes: 10e6 }],
    ['keepBytes', '2.12', { kind: 'keepBytes', bytes: 2.12e9 }],
    ['keepBytes', '1500', { kind: 'keepBytes', bytes: 1.5e12 }],
  ] as const) {
    test(`is read from "${text}"`, () => assert.deepEqual(readGoal(kind, text), { goal }));
  }

  for (const [kind, text] of [
    ['deleteRows', '0'],
    ['deleteRows', '1000000000001'],
    ['deleteRows', 'many'],
    ['deleteRows', '1,00'],
    ['deleteRows', '1,000.000'],
    ['keepBytes', '0'],
    ['keepBytes', '0.00'],
    ['keepBytes', '0,250'],
    ['keepBytes', '2.125'],
    ['keepBytes', '1,500'],
    ['keepBytes', '1.500'],
    ['keepBytes', '5 GB'],
    ['keepBytes', '1000001'],
  ] as const) {
    test(`of ${kind} rejects "${text}"`, () => {
      const read = readGoal(kind, text);
      assert.match('problem' in read ? read.problem : '', /^Enter a (whole )?number from /);
    });
  }

  test('names its bounds if a number is invalid', () => {
    assert.deepEqual(
      (['keepBytes', 'deleteRows'] as const).map((kind) => readGoal(kind, '2.125 GB')),
      [
        { problem: 'Enter a number from 0.01 to 1,000,000, with two decimals at most.' },
        { problem: 'Enter a whole number from 1 to 1,000,000,000,000.' },
      ],
    );
  });

  test('is always valid for the host', () => {
    const kinds = fc.constantFrom<FitKind>('keepBytes', 'deleteRows');
    const texts = fc.oneof(fc.string(), fc.nat().map(String), fc.double({ min: 0, noNaN: true }).map(String));
    fc.assert(
      fc.property(kinds, texts, (kind, text) => {
        const read = readGoal(kind, text);
        if ('goal' in read) assert.ok(parsePageMessage({ type: 'fit', goal: read.goal }) !== undefined, text);
      }),
    );
  });
});

suite('An age in days', () => {
  for (const [text, days] of [
    [' 90 ', 90],
    ['1', 1],
    ['36,500', MOST_DAYS],
  ] as const) {
    test(`is read from "${text}"`, () => assert.deepEqual(readDays(text), { days }));
  }

  for (const text of ['', '0', '1.5', '-3', '36501', 'many']) {
    test(`can't be "${text}"`, () =>
      assert.deepEqual(readDays(text), { problem: 'Enter a whole number from 1 to 36,500.' }));
  }
});

suite('The cutoff of an age', () => {
  test('is whole days ago, rounded down to the minute', () => {
    assert.equal(cutoffDaysBefore(30, Date.UTC(2026, 10, 21, 9, 15, 59, 999)), Date.UTC(2026, 9, 22, 9, 15));
    assert.equal(cutoffDaysBefore(365, Date.UTC(2026, 10, 21, 9, 15)), Date.UTC(2025, 10, 21, 9, 15));
  });
});
