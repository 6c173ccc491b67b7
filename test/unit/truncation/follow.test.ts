import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Emitter } from '../../../src/platform/events.ts';
import { FollowedTruncations, SHOWN_AFTER_MILLIS } from '../../../src/truncation/follow.ts';
import type { TruncationRecord } from '../../../src/truncation/record.ts';
import { SteppedClock } from '../steppedClock.ts';
import { FAILED, FINISHED, RECORD } from './samples.ts';

const OTHER: TruncationRecord = { ...RECORD, id: '00000000-6d2c-4b6e-9b0a-0c7f5f3f2d11' };

/** A window with running truncations, and a user who may look at the page of one. */
class Screen {
  readonly clock = new SteppedClock();
  readonly stored = new Map([RECORD, OTHER].map((record) => [record.id, record]));
  readonly changed = new Emitter<TruncationRecord>();
  readonly recordsChanged = new Emitter<string>();
  readonly showingChanged = new Emitter<void>();
  readonly looks: string[] = [];
  readonly open = new Map<string, { updates: number; readonly dismiss: () => void }>();
  readonly told: TruncationRecord[] = [];
  /** ID of the truncation whose page is visible. */
  page: string | undefined;
  readonly followed = new FollowedTruncations({
    watch: {
      keepWatching: (only) => {
        const id = only ?? 'all';
        this.looks.push(id);
        return { dispose: () => void this.looks.splice(this.looks.indexOf(id), 1) };
      },
      onDidChange: this.changed.event,
    },
    jobs: { get: (_, id) => this.stored.get(id), onDidChange: this.recordsChanged.event },
    isShowing: (id) => this.page === id,
    onDidChangeShowing: [this.showingChanged.event],
    notify: ({ id }, dismiss) => {
      const shown = { updates: 0, dismiss };
      assert.ok(!this.open.has(id), 'a second notification of one truncation');
      this.open.set(id, shown);
      return { update: () => void shown.updates++, close: () => void this.open.delete(id) };
    },
    notifyEnded: (record) => this.told.push(record),
    clock: this.clock,
  });

  /** Shows the page of a truncation, or something else. */
  goTo(page: string | undefined): void {
    this.page = page;
    this.showingChanged.fire();
  }

  wait(): void {
    this.clock.advance(SHOWN_AFTER_MILLIS);
  }

  end(record: TruncationRecord | undefined, id = RECORD.id): void {
    if (record === undefined) {
      this.stored.delete(id);
    } else {
      this.stored.set(id, record);
    }
    this.recordsChanged.fire(RECORD.connectionId);
  }
}

suite('Followed truncation', () => {
  test('is watched and has one notification while its page is hidden', () => {
    const screen = new Screen();
    screen.followed.concluded(RECORD);
    screen.followed.follow(RECORD);
    assert.deepEqual(screen.looks, [RECORD.id], 'this one is watched, and no other');
    assert.equal(screen.open.size, 0, 'not yet: it may be over in a moment');
    screen.wait();
    assert.equal(screen.open.size, 1);
    screen.changed.fire(RECORD);
    screen.changed.fire(OTHER);
    assert.equal(screen.open.get(RECORD.id)?.updates, 1);
  });

  test('has no notification while its page is visible, and has one again once the page is hidden', () => {
    const screen = new Screen();
    screen.page = RECORD.id;
    screen.followed.concluded(RECORD);
    screen.wait();
    assert.deepEqual([screen.open.size, screen.looks], [0, []]);
    screen.goTo(undefined);
    screen.goTo(OTHER.id);
    screen.wait();
    assert.deepEqual([screen.open.size, screen.looks], [1, [RECORD.id]]);
    screen.goTo(RECORD.id);
    assert.deepEqual([screen.open.size, screen.looks], [0, []]);
    screen.goTo(undefined);
    screen.goTo(RECORD.id);
    screen.wait();
    assert.equal(screen.open.size, 0, 'hidden for a moment only');
  });

  test('has a notification of its end and is not watched any more', () => {
    for (const ending of [FINISHED, FAILED]) {
      const screen = new Screen();
      screen.followed.follow(RECORD);
      screen.wait();
      screen.end({ ...RECORD, ending });
      screen.recordsChanged.fire(RECORD.connectionId);
      assert.deepEqual(
        screen.told.map((record) => record.ending),
        [ending],
        'once',
      );
      assert.deepEqual([screen.open.size, screen.looks, screen.clock.waiting], [0, [], 0]);
    }
  });

  test('has no notification of its end while its page is visible', () => {
    const screen = new Screen();
    screen.page = RECORD.id;
    screen.followed.follow(RECORD);
    screen.end({ ...RECORD, ending: FINISHED });
    assert.deepEqual(screen.told, []);
    screen.followed.concluded({ ...RECORD, ending: FAILED });
    assert.deepEqual(screen.told, []);
  });

  test('is neither watched nor shown after it was dismissed, until the user asks again', () => {
    const screen = new Screen();
    screen.followed.follow(RECORD);
    screen.wait();
    screen.open.get(RECORD.id)?.dismiss();
    assert.deepEqual([screen.open.size, screen.looks], [0, []]);
    screen.goTo(RECORD.id);
    screen.goTo(undefined);
    screen.wait();
    assert.equal(screen.open.size, 0);
    screen.followed.follow(RECORD);
    screen.wait();
    assert.equal(screen.open.size, 1);
    screen.open.get(RECORD.id)?.dismiss();
    screen.end({ ...RECORD, ending: FINISHED });
    assert.deepEqual(screen.told, []);
  });

  test('has no notification after it was forgotten', () => {
    const screen = new Screen();
    screen.followed.follow(RECORD);
    screen.wait();
    screen.end(undefined);
    assert.deepEqual([screen.told, screen.open.size, screen.looks], [[], 0, []]);
  });

  test('must be running', () => {
    const screen = new Screen();
    const { taskId: _, ...sending } = RECORD;
    screen.followed.follow({ ...RECORD, ending: FINISHED });
    screen.followed.follow(sending);
    screen.wait();
    assert.deepEqual([screen.open.size, screen.looks], [0, []]);
  });

  test('leaves nothing behind when the window is closed', () => {
    const screen = new Screen();
    screen.followed.follow(RECORD);
    screen.wait();
    screen.followed.follow(OTHER);
    screen.followed.dispose();
    screen.wait();
    assert.deepEqual([screen.open.size, screen.looks, screen.clock.waiting], [0, [], 0]);
  });
});

test('A failed execution has a notification if its page is hidden', () => {
  const screen = new Screen();
  screen.followed.concluded({ ...RECORD, ending: FAILED });
  assert.deepEqual(screen.told, [{ ...RECORD, ending: FAILED }]);
  screen.wait();
  assert.equal(screen.open.size, 0);
});
