import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { root } from '../../../../tools/paths.ts';
import { TestEvents, type TestEvent } from '../../../../tools/run/testEvents.ts';

const file = join(root, 'test/unit/some.test.ts');
const NAME = 'test/unit/some.test.ts';
const NO_TEST = { title: NAME, message: 'There is no test in this file.' };

function event(name: string, nesting = 0, more: Partial<TestEvent> = {}): TestEvent {
  return { name, nesting, file, details: { type: 'test' }, ...more };
}

function failed(name: string, nesting: number, failureType: string, cause: Error, type = 'test'): TestEvent {
  return event(name, nesting, { details: { type, error: Object.assign(new Error('outer'), { failureType, cause }) } });
}

suite('A run', () => {
  test('counts tests, not their suites, and names a failed one once, by its file and its suites', () => {
    const events = new TestEvents();
    const cause = new Error('one is not two');
    events.started(event('suite'));
    // Of a file that runs at the same time.
    events.started(event('other', 0, { file: join(root, 'other.test.ts') }));
    events.started(event('good', 1));
    events.passed(event('good', 1));
    events.started(event('bad', 1));
    events.failed(failed('bad', 1, 'testCodeFailure', cause));
    events.failed(failed('suite', 0, 'subtestsFailed', new Error('1 subtest failed'), 'suite'));
    events.passed(event('later', 0, { details: { type: 'suite' } }));
    const failures = [{ title: `${NAME} › suite › bad`, message: cause.stack }];
    assert.deepEqual(events.tally(), { passed: 1, skipped: 0, failures });
    assert.deepEqual(events.ofFile(file), events.tally());
  });

  test('counts a skipped test, and one marked as to do, as skipped', () => {
    const events = new TestEvents();
    events.passed(event('a', 0, { skip: true }));
    events.passed(event('b', 0, { todo: 'later' }));
    events.passed(event('c', 0, { skip: false }));
    assert.deepEqual(events.tally(), { passed: 1, skipped: 2, failures: [] });
  });

  test('fails for a test that passed after more than the limit', () => {
    const events = new TestEvents();
    events.passed(event('a', 0, { details: { type: 'test', duration_ms: 60_000 } }));
    events.passed(event('b', 0, { details: { type: 'test', duration_ms: 60_001 } }));
    const failures = [{ title: `${NAME} › b`, message: 'It took longer than 60 s.' }];
    assert.deepEqual(events.tally(), { passed: 1, skipped: 0, failures });
  });

  test('fails for a file without tests, also if it shared its process with others', () => {
    const alone = new TestEvents();
    alone.started(event(file));
    alone.passed(event(file));
    assert.deepEqual(alone.tally().failures, [NO_TEST]);
    const shared = new TestEvents();
    shared.ended(file);
    assert.deepEqual(shared.tally().failures, [NO_TEST]);
  });

  test('fails for a file that cannot be loaded, with its output, and for a hook that fails alone', () => {
    const events = new TestEvents();
    events.started(event(file));
    events.said(file, 'SyntaxError: Unexpected token');
    events.failed(event(file, 0, { details: { type: 'test', error: new Error('test failed') } }));
    events.started(event('suite'));
    events.failed(failed('suite', 0, 'hookFailed', new Error('no server'), 'suite'));
    const [unloaded, hook] = events.tally().failures;
    assert.equal(unloaded?.title, NAME);
    assert.match(unloaded?.message ?? '', /test failed[^]*SyntaxError/);
    assert.match(hook?.message ?? '', /no server/);
  });
});
