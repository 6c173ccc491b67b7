import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Emitter } from '../../../../src/platform/events.ts';
import { FollowedTruncations } from '../../../../src/truncation/watching/follow.ts';
import type { TruncationRecord } from '../../../../src/truncation/sentTruncation.ts';
import { FAILED, FINISHED, RECORD, UNANSWERED } from '../samples.ts';

const OTHER: TruncationRecord = { ...RECORD, id: '00000000-6d2c-4b6e-9b0a-0c7f5f3f2d11' };

/** A window with running truncations, and a user who may see one. */
class Screen {
  readonly stored = new Map([RECORD, OTHER].map((record) => [record.id, record]));
  readonly recordsChanged = new Emitter<string>();
  readonly watched: string[] = [];
  readonly told: TruncationRecord[] = [];
  isTreeVisible = false;
  /** ID of the truncation that a page shows. */
  shownOnPage: string | undefined;
  readonly followed = new FollowedTruncations({
    watch: {
      keepWatching: (only) => {
        const id = only ?? 'all';
        this.watched.push(id);
        return { dispose: () => void this.watched.splice(this.watched.indexOf(id), 1) };
      },
    },
    jobs: { get: (_, id) => this.stored.get(id), onDidChange: this.recordsChanged.event },
    isTreeVisible: () => this.isTreeVisible,
    isOnPage: (id) => this.shownOnPage === id,
    notifyEnded: (record) => this.told.push(record),
  });

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
  test('is watched until its end, of which the user is told once', () => {
    for (const ending of [FINISHED, FAILED]) {
      const screen = new Screen();
      screen.followed.concluded(RECORD);
      screen.followed.follow(RECORD);
      assert.deepEqual(screen.watched, [RECORD.id], 'this one, and no other');
      screen.recordsChanged.fire(RECORD.connectionId);
      assert.deepEqual([screen.watched, screen.told], [[RECORD.id], []]);
      screen.end({ ...RECORD, ending });
      screen.recordsChanged.fire(RECORD.connectionId);
      assert.deepEqual(
        screen.told.map((record) => record.ending),
        [ending],
      );
      assert.deepEqual(screen.watched, []);
    }
  });

  test('that was forgotten needs no message', () => {
    const screen = new Screen();
    screen.followed.follow(RECORD);
    screen.end(undefined);
    assert.deepEqual([screen.told, screen.watched], [[], []]);
  });

  test('is not watched any more when the window is closed', () => {
    const screen = new Screen();
    screen.followed.follow(RECORD);
    screen.followed.follow(OTHER);
    screen.followed.follow({ ...UNANSWERED, id: 'no task yet' });
    screen.followed.follow({ ...RECORD, id: 'has ended', ending: FINISHED });
    assert.deepEqual(screen.watched, [RECORD.id, OTHER.id], 'what runs');
    screen.followed.dispose();
    assert.deepEqual(screen.watched, []);
  });
});

test('The user is told of an end, whether or not it was followed, unless a page or the tree shows it', () => {
  const failed = { ...RECORD, ending: FAILED };
  for (const [shown, told] of [
    [{}, [failed, failed]],
    [{ shownOnPage: RECORD.id }, []],
    [{ isTreeVisible: true }, []],
  ] as const) {
    const screen = Object.assign(new Screen(), shown);
    screen.stored.set(RECORD.id, failed);
    screen.followed.concluded(failed);
    screen.stored.set(RECORD.id, RECORD);
    screen.followed.follow(RECORD);
    screen.end(failed);
    assert.deepEqual(screen.told, told);
  }
});

test('The user is told of an end that could not be stored, of which the tree shows nothing', () => {
  const screen = Object.assign(new Screen(), { isTreeVisible: true });
  screen.followed.concluded({ ...RECORD, ending: FAILED });
  assert.equal(screen.told.length, 1);
});

for (const [what, isStored] of [
  ['of which the tree has no row', false],
  ['even if that could not be stored, and the tree shows it as sent', true],
] as const) {
  test(`The user is told of a truncation that the server refused, ${what}`, () => {
    const screen = Object.assign(new Screen(), { isTreeVisible: true });
    if (isStored) {
      screen.stored.set(UNANSWERED.id, UNANSWERED);
    } else {
      screen.stored.delete(UNANSWERED.id);
    }
    screen.followed.concluded(UNANSWERED, { sentence: 'Not today.' });
    assert.deepEqual([screen.told, screen.watched], [[UNANSWERED], []]);
  });
}
