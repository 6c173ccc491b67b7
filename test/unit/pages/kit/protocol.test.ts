import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parseHostMessage, viewAfter, viewChanges } from '../../../../src/pages/kit/protocol.ts';

type View = Readonly<Record<string, unknown>>;

const VIEW = { phase: 'editing', indices: [] };

suite('A message of the host', () => {
  for (const message of [
    { type: 'open', locale: 'en', view: VIEW },
    { type: 'open', translations: { Index: 'Indeks' }, locale: 'pl', view: VIEW },
    { type: 'view', changed: VIEW, removed: ['report'] },
  ]) {
    test(`is valid: ${JSON.stringify(message)}`, () => assert.deepEqual(parseHostMessage(message), message));
  }

  for (const [which, message] of Object.entries({
    nothing: undefined,
    'what other scripts post': { type: 'webpackOk', data: {} },
    'a message of the page itself': { type: 'execute' },
    'changes without one': { type: 'view', removed: [] },
    'a page without a view': { type: 'open', locale: 'en' },
    'translations that are no texts': { type: 'open', translations: { title: 1 }, locale: 'en', view: VIEW },
  })) {
    test(`is refused if it is ${which}`, () => assert.equal(parseHostMessage(message), undefined));
  }
});

suite('A view', () => {
  const names = fc.constantFrom('phase', 'report', 'rows', 'failure');
  const anyView: fc.Arbitrary<View> = fc.dictionary(names, fc.oneof(fc.jsonValue(), fc.constant(undefined)), {
    noNullPrototype: true,
  });
  /** Copies what is sent as JSON, which drops undefined values. */
  const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

  test('is restored from its changes, each sent once', () => {
    fc.assert(
      fc.property(fc.array(anyView, { minLength: 2 }), ([first = {}, ...views]) => {
        let { now } = viewChanges(new Map(), first);
        let shown = viewAfter<View>(undefined, {
          type: 'open',
          translations: undefined,
          locale: 'en',
          view: sent(first),
        });
        for (const view of views) {
          const before = shown;
          const { changed, removed, now: next } = viewChanges(now, view);
          now = next;
          shown = viewAfter<View>(before, sent({ type: 'view', changed, removed } as const));
          assert.deepEqual(shown, sent(view));
          assert.ok(Object.entries(changed).every(([name, value]) => !isSame(before?.[name], value)));
          assert.ok(removed.every((name) => before !== undefined && name in before));
          const again = viewChanges(now, structuredClone(view));
          assert.deepEqual([again.changed, again.removed], [{}, []]);
        }
      }),
    );
  });
});

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
