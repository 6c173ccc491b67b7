import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { CAUTION_KINDS } from '../../../../src/truncation/cautions.ts';
import {
  parsePlanDraft,
  parseHostMessage,
  parsePageMessage,
  parsePanelState,
  type WizardPageMessage,
} from '../../../../src/pages/truncation/protocol.ts';
import type { PlanDraft } from '../../../../src/truncation/plan.ts';
import { DRAFT } from '../../truncation/samples.ts';

/** Copies a message or state as JSON. */
function overTheWire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const text = fc.string({ unit: 'binary-ascii', maxLength: 20 });
const anyDraft: fc.Arbitrary<PlanDraft> = fc.record({
  entityType: text,
  aspect: text,
  endTimeMillis: fc.option(fc.maxSafeInteger(), { nil: undefined }),
  batchSize: text,
  timeoutSeconds: text,
  strategy: fc.constantFrom('server', 'deleteByQuery', 'reindex'),
  acceptedCautions: fc.subarray([...CAUTION_KINDS]),
});

const BARE = [
  'dryRun',
  'cancel',
  'execute',
  'startOver',
  'useDeleteByQuery',
  'copyTaskId',
  'copyDetails',
  'checkTask',
  'showRowsByAge',
  'refreshRowsByAge',
  'stopRowsByAge',
  'stopFit',
  'saveReceipt',
] as const;
const MESSAGES: readonly WizardPageMessage[] = [
  { type: 'ready', timeZone: 'Europe/Berlin' },
  { type: 'ready', timeZone: 'Europe/Berlin', draft: DRAFT as Required<PlanDraft> },
  { type: 'edit', draft: DRAFT as Required<PlanDraft> },
  ...BARE.map((type) => ({ type })),
  { type: 'fit', goal: { kind: 'deleteRows', rows: 90 } },
  { type: 'fit', goal: { kind: 'keepBytes', bytes: 5_000_000_000 } },
  { type: 'fit', goal: { kind: 'deleteRows', rows: 1_000_000 } },
  { type: 'copyReceipt', format: 'markdown' },
  { type: 'copyReceipt', format: 'json' },
];

suite('A message of the page', () => {
  for (const message of MESSAGES) {
    test(`is valid: ${Object.keys(message).join(', ')} of "${message.type}"`, () =>
      assert.deepEqual(parsePageMessage(message), message));

    test(`is refused with another key: "${message.type}" of ${Object.keys(message).length}`, () => {
      for (const extra of ['body', 'url', 'command', 'dryRun', 'plan', 'constructor']) {
        assert.equal(parsePageMessage({ ...message, [extra]: {} }), undefined, extra);
      }
    });
  }

  for (const [which, message] of Object.entries({
    'a fit to no rows': { type: 'fit', goal: { kind: 'deleteRows', rows: 0 } },
    'a fit to parts of a row': { type: 'fit', goal: { kind: 'deleteRows', rows: 1.5 } },
    'a fit beyond its bound': { type: 'fit', goal: { kind: 'keepBytes', bytes: 1e15 + 1 } },
    'a fit to a text': { type: 'fit', goal: { kind: 'deleteRows', rows: '90' } },
    'a fit to another kind of number': { type: 'fit', goal: { kind: 'keepBytes', rows: 90 } },
    'a fit to nothing known': { type: 'fit', goal: { kind: 'keepAll' } },
    'a receipt of another format': { type: 'copyReceipt', format: 'html' },
    nothing: undefined,
    null: null,
    'a text': 'execute',
    'a list': [{ type: 'execute' }],
    'no type': {},
    'an unknown type': { type: 'executeNow' },
    'a type of another kind': { type: ['execute'] },
    'an edit without a draft': { type: 'edit' },
    'an edit without a field': { type: 'edit', draft: { ...DRAFT, aspect: undefined } },
    'a number where a text belongs': { type: 'edit', draft: { ...DRAFT, batchSize: 10_000 } },
    'a text that is too long': { type: 'edit', draft: { ...DRAFT, aspect: 'a'.repeat(513) } },
    'a cutoff that is no number': { type: 'edit', draft: { ...DRAFT, endTimeMillis: '1' } },
    'a cutoff that is no moment': { type: 'edit', draft: { ...DRAFT, endTimeMillis: Number.NaN } },
    'a fraction of a millisecond': { type: 'edit', draft: { ...DRAFT, endTimeMillis: 0.5 } },
    'a strategy that there is not': { type: 'edit', draft: { ...DRAFT, strategy: 'drop' } },
    'an unknown caution': { type: 'edit', draft: { ...DRAFT, acceptedCautions: ['all'] } },
    'a yes to all cautions': { type: 'edit', draft: { ...DRAFT, acceptedCautions: true } },
    'ready without a time zone': { type: 'ready' },
  })) {
    test(`is refused if it is ${which}`, () => assert.equal(parsePageMessage(message), undefined));
  }

  test('carries a draft unchanged, and nothing else', () => {
    fc.assert(
      fc.property(anyDraft, (draft) => {
        const parsed = parsePageMessage(
          overTheWire({ type: 'edit', draft: { ...draft, dryRun: false, url: 'https://evil.example' } }),
        );
        assert.ok(parsed?.type === 'edit');
        assert.deepEqual(parsed.draft, overTheWire(draft));
      }),
    );
  });

  test('of any shape never throws, and is valid or ignored', () => {
    const anyMessage = fc.oneof(
      fc.jsonValue(),
      fc.record({
        type: fc.constantFrom(...BARE, 'edit', 'ready', '__proto__'),
        draft: fc.oneof(anyDraft, fc.jsonValue()),
      }),
    );
    fc.assert(
      fc.property(anyMessage, (message) => {
        const parsed = parsePageMessage(message);
        assert.ok(parsed === undefined || [...BARE, 'edit', 'ready'].includes(parsed.type));
        parseHostMessage(message);
        parsePanelState(message);
        parsePlanDraft(message);
      }),
      { numRuns: 300 },
    );
  });
});

suite('A message of the host', () => {
  const view = { phase: 'editing', indices: [] };

  for (const message of [
    { type: 'open', locale: 'en', draft: DRAFT, view },
    { type: 'open', translations: { Index: 'Indeks' }, locale: 'en', draft: DRAFT, view },
    { type: 'view', view },
    { type: 'draft', draft: DRAFT, view },
  ]) {
    test(`is valid: "${message.type}"`, () => assert.deepEqual(parseHostMessage(message), message));
  }

  for (const [which, message] of Object.entries({
    'what other scripts post': { type: 'webpackOk', data: {} },
    'a message of the page itself': { type: 'execute' },
    'a view without one': { type: 'view' },
    'a draft that is none': { type: 'draft', draft: { ...DRAFT, strategy: 'drop' }, view },
    'translations that are no texts': { type: 'open', translations: { title: 1 }, locale: 'en', draft: DRAFT, view },
  })) {
    test(`is refused if it is ${which}`, () => assert.equal(parseHostMessage(message), undefined));
  }
});

suite("VS Code's state of a panel", () => {
  const restore = { connectionId: 'c', recordId: 'r' };

  test('has the draft and the connection', () => {
    fc.assert(
      fc.property(anyDraft, (draft) => {
        assert.deepEqual(parsePanelState(overTheWire({ draft, restore, words: {} })), {
          draft: { ...draft, endTimeMillis: draft.endTimeMillis },
          restore,
        });
        assert.deepEqual(parsePlanDraft(overTheWire(draft)), { ...draft, endTimeMillis: draft.endTimeMillis });
      }),
    );
  });

  test('may lack a record, and loses only a damaged draft', () => {
    assert.deepEqual(parsePanelState({ restore: { connectionId: 'c' } }), {
      draft: undefined,
      restore: { connectionId: 'c' },
    });
    assert.deepEqual(parsePanelState({ draft: { entityType: 1 }, restore }), { draft: undefined, restore });
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
      assert.equal(parsePanelState(state), undefined);
    }
  });
});
