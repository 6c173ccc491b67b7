import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  checkDraft,
  DEFAULT_BATCH_SIZE,
  emptyDraft,
  type PlanDraft,
  type PlanField,
  isSamePlan,
  withAge,
} from '../../../src/truncation/plan.ts';
import { cutoffInDays } from '../../../src/truncation/cutoff.ts';
import { MILLIS_PER_DAY } from '../../../src/time.ts';
import type { TruncationPlan } from '../../../src/service/indices/truncationRequest.ts';
import { DRAFT, MINUTE, NOW, PLAN } from './samples.ts';

/** What is wrong with each field of a draft that is fine but for the change. */
function problemsOf(change: Partial<PlanDraft>): Partial<Record<PlanField, string>> {
  const checked = checkDraft({ ...DRAFT, ...change });
  return 'problems' in checked ? checked.problems : {};
}

suite('Cutoff', () => {
  for (const [millis, problem] of [
    [1, undefined],
    [NOW + 365 * MILLIS_PER_DAY, undefined],
    [Date.UTC(9999, 11, 31, 23, 59, 59, 999), undefined],
    [undefined, /date and time/],
    [Number.NaN, /date and time/],
    [Number.POSITIVE_INFINITY, /date and time/],
    [0, /date and time/],
    [0.5, /date and time/],
    [Date.UTC(10_000, 0), /date and time/],
    // Microseconds instead of milliseconds.
    [NOW * 1_000, /date and time/],
  ] as const) {
    test(`${problem === undefined ? 'may' : 'may not'} be ${millis}`, () => {
      const found = problemsOf({ endTimeMillis: millis }).endTimeMillis;
      assert.ok(problem === undefined ? found === undefined : problem.test(found ?? ''), found);
    });
  }

  test('can always be shown if it is valid', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (millis) => {
        if (problemsOf({ endTimeMillis: millis }).endTimeMillis === undefined) {
          assert.doesNotThrow(() =>
            new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long', timeZone: 'Pacific/Apia' }).format(
              millis,
            ),
          );
        }
      }),
    );
  });
});

suite('Batch size and timeout', () => {
  for (const [field, largest, tooLarge] of [
    ['batchSize', '10000', '10001'],
    ['timeoutSeconds', '2147483647', '2147483648'],
  ] as const) {
    const check = (text: string): string | undefined => problemsOf({ [field]: text })[field];

    test(`of ${field} are whole numbers up to the limit, or nothing`, () => {
      for (const text of ['', '  ', '1', '10,000', '1.000', ' 42 ', largest, '0000000001']) {
        assert.equal(check(text), undefined, text);
      }
      for (const text of ['0', '-1', '1.5', '1e3', '10,00', tooLarge, '99999999999', 'ten', '0x10', '١٠', '+1']) {
        assert.match(check(text) ?? '', /whole number/, text);
      }
    });
  }
});

suite('Draft', () => {
  test('lacks only names and cutoff at first', () => {
    const problems = problemsOf(emptyDraft());
    assert.deepEqual(Object.keys(problems), ['entityType', 'aspect', 'endTimeMillis']);
    assert.match(problems.endTimeMillis ?? '', /date and time/);
  });

  test('becomes a plan with defaults for empty fields', () => {
    const names = { entityType: ' dataset ', aspect: 'Operation ' };
    const { endTimeMillis } = DRAFT;
    const draft = { ...DRAFT, ...names, batchSize: '', timeoutSeconds: ' 60 ', strategy: 'reindex' } as const;
    const numbers = { batchSize: DEFAULT_BATCH_SIZE, timeoutSeconds: 60 };
    const plan = { entityType: 'dataset', aspect: 'Operation', endTimeMillis, ...numbers, strategy: 'reindex' };
    assert.deepEqual(checkDraft(draft), { plan });
  });
});

suite('Two plans', () => {
  const others: readonly TruncationPlan[] = [
    PLAN,
    { ...PLAN, entityType: 'chart' },
    { ...PLAN, aspect: 'datasetProfile' },
    { ...PLAN, endTimeMillis: PLAN.endTimeMillis + 1 },
    { ...PLAN, batchSize: 1 },
    { ...PLAN, timeoutSeconds: 1 },
    { ...PLAN, strategy: 'reindex' },
  ];

  test('are the same only if every part of the body is', () => {
    for (const [i, a] of others.entries()) {
      for (const [j, b] of others.entries()) {
        assert.equal(isSamePlan(a, { ...b }), i === j);
      }
    }
  });
});

suite('The age of a draft', () => {
  const later = NOW + 30 * MILLIS_PER_DAY;
  const dated = { ...cutoffInDays(''), kind: 'dateTime', date: '2026-08-23', time: '12:00' } as const;

  for (const [what, change, days, endTimeMillis] of [
    ['is kept and counted from now', { cutoff: cutoffInDays(90) }, '90', later - 90 * MILLIS_PER_DAY],
    ['is kept as typed while it is invalid', { cutoff: cutoffInDays('9x') }, '9x', undefined],
    ['is that of a date, which stays to go back to', { cutoff: dated }, '120', DRAFT.endTimeMillis],
    ['is that of a limit', { cutoff: { ...dated, kind: 'keepBytes' } }, '120', DRAFT.endTimeMillis],
    ['is that of a plan that was made elsewhere', {}, '120', DRAFT.endTimeMillis],
    ['is the usual one without a cutoff', { endTimeMillis: undefined }, '90', later - 90 * MILLIS_PER_DAY],
  ] as const) {
    test(what, () => {
      const draft: PlanDraft = { ...DRAFT, ...change };
      const cutoff = { ...(draft.cutoff ?? cutoffInDays('')), kind: 'days', days };
      assert.deepEqual(withAge(draft, later), { ...draft, cutoff, endTimeMillis });
    });
  }

  test('is no day older some minutes after a truncation was sent, unless its cutoff is a date', () => {
    const ageOf = (draft: PlanDraft): string | undefined => withAge(draft, NOW + 20 * MINUTE).cutoff?.days;
    assert.equal(ageOf(DRAFT), '90');
    assert.equal(ageOf({ ...DRAFT, cutoff: { ...dated, kind: 'keepBytes' } }), '90');
    assert.equal(ageOf({ ...DRAFT, cutoff: dated }), '91');
  });
});
