import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { StepProgress } from '../../../../tools/start/stepProgress.ts';

suite('Progress of a start', () => {
  test('outside a terminal prints a line as each step begins, and other output between them', async () => {
    let written = '';
    const progress = new StepProgress(2, { write: (text) => (written += text) });
    assert.equal(await progress.run('Building', () => Promise.resolve(7)), 7);
    await progress.run('Starting', async () => progress.print('Installing something, once…'));
    assert.equal(written, 'Building…\nStarting…\nInstalling something, once…\n');
  });

  test('in a terminal draws a bar with the running step, and leaves a line with its time', async () => {
    let written = '';
    let now = 0;
    const output = { isTTY: true, columns: 100, write: (text: string) => (written += text) };
    const progress = new StepProgress(2, output, () => now);
    await progress.run('Building', async () => {
      assert.equal(written, '░░░░░░░░░░░░░░░░░░░░░░░░  0/2  0 s  Building…\n');
      now = 3_000;
    });
    written = '';
    await progress.run('Starting', async () => {
      assert.equal(written, '████████████░░░░░░░░░░░░  1/2  0 s  Starting…\n');
      written = '';
      progress.print('Installing something, once…');
      assert.equal(
        written,
        '\u001B[1A\r\u001B[0JInstalling something, once…\n████████████░░░░░░░░░░░░  1/2  0 s  Starting…\n',
      );
      now = 68_000;
      written = '';
    });
    assert.equal(written, '\u001B[1A\r\u001B[0JStarting: 1:05 min\n');
  });

  test('in a narrow terminal cuts off a long title, not its time', async () => {
    let written = '';
    const output = { isTTY: true, columns: 60, write: (text: string) => (written += text) };
    const progress = new StepProgress(2, output, () => 0);
    await progress.run('Starting the local service with sample data', async () => {
      assert.equal(written, '░░░░░░░░░░░░░░░░░░░░░░░░  0/2  0 s  Starting the local serv\n');
    });
  });

  test('shows nothing more of a step that fails, or that is stopped', async () => {
    let written = '';
    const progress = new StepProgress(2, { isTTY: true, write: (text) => (written += text) }, () => 0);
    await assert.rejects(
      progress.run('Building', () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.ok(written.endsWith('\u001B[0J'), written);
    await progress.run('Starting', async () => {
      progress.stop();
      written = '';
    });
    assert.equal(written, '');
  });
});
