import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../../../tools/paths.ts';
import { TestEvents } from '../../../../tools/run/testEvents.ts';

const file = join(root, 'test/unit/some.test.ts');
const failure = (failureType: string, cause: Error) => Object.assign(new Error('outer'), { failureType, cause });

test('counts tests, not their suites', () => {
  const events = new TestEvents();
  for (const [name, nesting] of [
    ['suite', 0],
    ['inner', 1],
    ['other', 1],
  ] as const)
    events.started({ name, nesting, file });
  events.passed({ name: 'inner', nesting: 1, file, details: { type: 'test' } });
  events.passed({ name: 'other', nesting: 1, file, details: { type: 'test' } });
  events.passed({ name: 'suite', nesting: 0, file, details: { type: 'suite' } });
  assert.deepEqual(events.tally(), { passed: 2, skipped: 0, failures: [] });
});

test('names a failed test once, by its file and its suites', () => {
  const events = new TestEvents();
  events.started({ name: 'suite', nesting: 0, file });
  events.started({ name: 'inner', nesting: 1, file });
  const cause = new Error('one is not two');
  events.failed({
    name: 'inner',
    nesting: 1,
    file,
    details: { type: 'test', error: failure('testCodeFailure', cause) },
  });
  const around = failure('subtestsFailed', new Error('1 subtest failed'));
  events.failed({ name: 'suite', nesting: 0, file, details: { type: 'suite', error: around } });
  assert.deepEqual(events.tally().failures, [
    { title: 'test/unit/some.test.ts › suite › inner', message: cause.stack },
  ]);
});

test('counts a skipped test, and one marked as to do, as skipped', () => {
  const events = new TestEvents();
  events.passed({ name: 'a', nesting: 0, file, skip: true, details: { type: 'test' } });
  events.passed({ name: 'b', nesting: 0, file, todo: 'later', details: { type: 'test' } });
  events.passed({ name: 'c', nesting: 0, file, skip: false, details: { type: 'test' } });
  assert.deepEqual(events.tally(), { passed: 1, skipped: 2, failures: [] });
});

test('fails a test that passed after more than the limit', () => {
  const events = new TestEvents();
  events.passed({ name: 'a', nesting: 0, file, details: { type: 'test', duration_ms: 60_000 } });
  events.passed({ name: 'b', nesting: 0, file, details: { type: 'test', duration_ms: 60_001 } });
  assert.deepEqual(events.tally(), {
    passed: 1,
    skipped: 0,
    failures: [{ title: 'test/unit/some.test.ts › b', message: 'It took longer than 60 s.' }],
  });
});

test('fails a file without tests', () => {
  const events = new TestEvents();
  events.started({ name: file, nesting: 0, file });
  events.passed({ name: file, nesting: 0, file, details: { type: 'test' } });
  assert.deepEqual(events.tally().failures, [
    { title: 'test/unit/some.test.ts', message: 'There is no test in this file.' },
  ]);
});

test('fails a file that cannot be loaded, with its output', () => {
  const events = new TestEvents();
  events.started({ name: file, nesting: 0, file });
  events.said(file, 'SyntaxError: Unexpected token');
  events.failed({ name: file, nesting: 0, file, details: { type: 'test', error: new Error('test failed') } });
  const [found] = events.tally().failures;
  assert.equal(found?.title, 'test/unit/some.test.ts');
  assert.match(found?.message ?? '', /test failed[^]*SyntaxError/);
});

test('fails for a failed hook, even if its suite has no failed test', () => {
  const events = new TestEvents();
  events.started({ name: 'suite', nesting: 0, file });
  events.failed({
    name: 'suite',
    nesting: 0,
    file,
    details: { type: 'suite', error: failure('hookFailed', new Error('no server')) },
  });
  assert.match(events.tally().failures[0]?.message ?? '', /no server/);
});

test('counts by file', () => {
  const events = new TestEvents();
  const other = join(root, 'test/unit/other.test.ts');
  events.started({ name: 'outer', nesting: 0, file });
  events.started({ name: 'test of the other', nesting: 0, file: other });
  events.started({ name: 'inner', nesting: 1, file });
  events.failed({
    name: 'inner',
    nesting: 1,
    file,
    details: { type: 'test', error: failure('testCodeFailure', new Error('x')) },
  });
  events.passed({ name: 'test of the other', nesting: 0, file: other, details: { type: 'test' } });
  assert.equal(events.ofFile(file).failures[0]?.title, 'test/unit/some.test.ts › outer › inner');
  assert.deepEqual(events.ofFile(other), { passed: 1, skipped: 0, failures: [] });
});

test('fails a file without tests even if it shared its process with others', () => {
  const events = new TestEvents();
  events.passed({ name: 'a', nesting: 0, file, details: { type: 'test' } });
  events.ended(file);
  const empty = join(root, 'test/unit/empty.test.ts');
  events.ended(empty);
  assert.deepEqual(events.tally(), {
    passed: 1,
    skipped: 0,
    failures: [{ title: 'test/unit/empty.test.ts', message: 'There is no test in this file.' }],
  });
});
