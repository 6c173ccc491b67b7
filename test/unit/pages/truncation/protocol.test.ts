import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parsedAs } from '../../../../src/json.ts';
import {
  TRUNCATION_PAGE_MESSAGE,
  parsePageState,
  type TruncationPageMessage,
} from '../../../../src/pages/truncation/protocol.ts';
import { CUTOFF_KINDS, cutoffInDays } from '../../../../src/truncation/cutoff.ts';
import type { PlanDraft } from '../../../../src/truncation/plan.ts';
import { DRAFT } from '../../truncation/samples.ts';

function overTheWire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const text = fc.string({ unit: 'binary-ascii', maxLength: 20 });
const anyCutoff = fc.record(
  { kind: fc.constantFrom(...CUTOFF_KINDS), days: text, date: text, time: text, gigabytes: text, rows: text },
  { noNullPrototype: true },
);
const draftParts = {
  entityType: text,
  aspect: text,
  cutoff: fc.option(anyCutoff, { nil: undefined }),
  endTimeMillis: fc.option(fc.maxSafeInteger(), { nil: undefined }),
  batchSize: text,
  timeoutSeconds: text,
  strategy: fc.constantFrom('server' as const, 'deleteByQuery' as const, 'reindex' as const),
  acceptedCautions: fc.constant([]),
};
const anyDraft: fc.Arbitrary<PlanDraft> = fc.record(draftParts, { noNullPrototype: true });

const BARE = [
  'cancel',
  'goBack',
  'execute',
  'startOver',
  'close',
  'automate',
  'receipt',
  'copyTaskId',
  'copyDetails',
  'signIn',
  'checkTask',
  'countRowsByAge',
  'stopCounting',
] as const;
const WITH_CUTOFF = { ...DRAFT, cutoff: cutoffInDays(90) } as Required<PlanDraft>;
const DRY_RUN = { type: 'dryRun', draft: WITH_CUTOFF } as const;
const MESSAGES: readonly TruncationPageMessage[] = [
  { type: 'ready', timeZone: 'Europe/Berlin' },
  DRY_RUN,
  ...BARE.map((type) => ({ type })),
  { type: 'tick', caution: 'reindex', isTicked: true, at: 1 },
  ...(['repair', 'cancel', 'merge'] as const).map((kind) => ({ type: 'copyRequests', place: 0, for: kind }) as const),
];

suite('A message of the page', () => {
  test('is valid, and refused with another key', () => {
    for (const message of MESSAGES) {
      assert.deepEqual(parsedAs(TRUNCATION_PAGE_MESSAGE, message), message);
      for (const extra of ['body', 'url', 'command', 'dryRun', 'plan', 'revision', 'constructor']) {
        assert.equal(
          parsedAs(TRUNCATION_PAGE_MESSAGE, { ...message, [extra]: {} }),
          undefined,
          `${message.type} ${extra}`,
        );
      }
    }
  });

  for (const [which, message] of Object.entries({
    nothing: undefined,
    'an unknown type': { type: 'executeNow' },
    'a type of another kind': { type: ['execute'] },
    'a dry run without a draft': { type: 'dryRun' },
    'a request that there is not': { type: 'copyRequests', place: 0, for: 'deleteIndex' },
    'ready without a time zone': { type: 'ready' },
    'ready with a time zone that is too long': { type: 'ready', timeZone: 'Z'.repeat(513) },
    'a tick of an unknown caution': { type: 'tick', caution: 'all', isTicked: true, at: 1 },
    'a tick of no response': { type: 'tick', caution: 'reindex', isTicked: true },
  })) {
    test(`is refused if it is ${which}`, () => assert.equal(parsedAs(TRUNCATION_PAGE_MESSAGE, message), undefined));
  }

  for (const [which, change] of Object.entries({
    'that lacks a field': { aspect: undefined },
    'with a number where a text belongs': { batchSize: 10_000 },
    'with a text that is too long': { aspect: 'a'.repeat(513) },
    'with a text that may be an access token': { batchSize: '1'.repeat(33) },
    'with a cutoff that is no number': { endTimeMillis: '1' },
    'with a cutoff that is no moment': { endTimeMillis: Number.NaN },
    'with a fraction of a millisecond': { endTimeMillis: 0.5 },
    'with a cutoff beyond all whole numbers': { endTimeMillis: Number.MAX_VALUE },
    'with a cutoff that lacks a text': { cutoff: { kind: 'days', days: '90' } },
    'with an unknown kind of cutoff': { cutoff: { ...WITH_CUTOFF.cutoff, kind: 'keepAll' } },
    'with a strategy that there is not': { strategy: 'drop' },
  })) {
    test(`is refused if it is a draft ${which}`, () =>
      assert.equal(parsedAs(TRUNCATION_PAGE_MESSAGE, { ...DRY_RUN, draft: { ...WITH_CUTOFF, ...change } }), undefined));
  }

  test('carries a draft unchanged, and nothing else', () => {
    fc.assert(
      fc.property(anyDraft, (draft) => {
        const parsed = parsedAs(
          TRUNCATION_PAGE_MESSAGE,
          overTheWire({
            ...DRY_RUN,
            draft: { ...draft, acceptedCautions: ['reindex'], dryRun: false, url: 'https://evil.example' },
          }),
        );
        assert.ok(parsed?.type === 'dryRun');
        assert.deepEqual(parsed.draft, draft);
      }),
    );
  });

  test('of any shape never throws, and is valid or ignored', () => {
    const anyMessage = fc.oneof(
      fc.jsonValue(),
      fc.record({
        type: fc.constantFrom(...BARE, 'dryRun', 'ready', '__proto__'),
        draft: fc.oneof(anyDraft, fc.jsonValue()),
      }),
    );
    fc.assert(
      fc.property(anyMessage, (message) => {
        const parsed = parsedAs(TRUNCATION_PAGE_MESSAGE, message);
        assert.ok(parsed === undefined || [...BARE, 'dryRun', 'ready'].includes(parsed.type));
        parsePageState(message);
      }),
      { numRuns: 300 },
    );
  });
});

suite("VS Code's state of a panel", () => {
  const restore = { connectionId: 'c', recordId: 'r' };

  test('has the draft, the connection and what is unfolded', () => {
    fc.assert(
      fc.property(anyDraft, fc.boolean(), (draft, advancedOpen) => {
        const state = { draft, advancedOpen, restore };
        assert.deepEqual(parsePageState(overTheWire({ ...state, words: {} })), state);
      }),
    );
  });

  test('is ignored without a connection', () => {
    for (const state of [
      undefined,
      null,
      {},
      { draft: DRAFT },
      { draft: DRAFT, restore: {} },
      { restore: { connectionId: 7 } },
    ]) {
      assert.equal(parsePageState(state), undefined);
    }
  });
});
