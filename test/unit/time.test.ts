import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../src/time.ts';

suite('The clock of the system', () => {
  test('returns the time, and a count that never goes back', async () => {
    const [before, monotonic] = [Date.now(), systemClock.monotonic()];
    assert.ok(systemClock.now() >= before && systemClock.now() < before + 60_000);
    await wait(2);
    const passed = systemClock.monotonic() - monotonic;
    assert.ok(passed > 0 && passed < 60_000);
  });

  test('calls back once when the time has come, unless cancelled', async () => {
    const calls: string[] = [];
    const callOff = systemClock.after(1, () => calls.push('called off'));
    callOff();
    systemClock.after(1, () => calls.push('called'));
    await wait(50);
    assert.deepEqual(calls, ['called']);
  });
});
