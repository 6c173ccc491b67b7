import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { RunProgress } from '../../../../tools/run/progress.ts';
import { EMPTY_TALLY } from '../../../../tools/run/tally.ts';

suite('Progress of a run', () => {
  test('outside a terminal prints a line as each part starts and ends, and failures between them', () => {
    let written = '';
    let now = 0;
    const progress = new RunProgress({ write: (text) => (written += text) }, () => now);
    const unit = progress.begin('Unit');
    unit.expect(2);
    unit.advance(false);
    unit.print('  ✗ b.test.ts: 1 failed');
    unit.advance(true);
    now = 65_000;
    unit.end({ ...EMPTY_TALLY, passed: 3, failures: [{ title: 'b', message: 'broken' }] });
    assert.equal(written, 'Unit…\n  ✗ b.test.ts: 1 failed\nUnit: 3 passed, 1 failed in 1:05 min\n');
  });

  test('in a terminal redraws a line with a bar and a count for each running part, below lasting lines', () => {
    let written = '';
    const progress = new RunProgress({ isTTY: true, columns: 100, write: (text) => (written += text) }, () => 0);
    const unit = progress.begin('Unit');
    const host = progress.begin('Extension host');
    unit.expect(4);
    written = '';
    unit.advance(true);
    assert.equal(
      written,
      '\u001B[1A\u001B[1A\r\u001B[0J' +
        'Unit              ██████░░░░░░░░░░░░░░░░░░  1/4  0 s  1 failed\n' +
        'Extension host    ░░░░░░░░░░░░░░░░░░░░░░░░  starting  0 s\n',
    );
    written = '';
    unit.end({ ...EMPTY_TALLY, passed: 4 });
    assert.ok(written.includes('Unit: 4 passed, 0 failed in 0 s\nExtension host'), written);
    host.end(EMPTY_TALLY);
    assert.ok(written.endsWith('Extension host: 0 passed, 0 failed in 0 s\n'), written);
  });
});
