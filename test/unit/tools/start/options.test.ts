import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startOptions } from '../../../../tools/start/options.ts';

suite('The options of a start', () => {
  test('leave the ports of the service to what is free', () => {
    assert.deepEqual(startOptions([]), { profile: '1.6', port: 0, help: false });
    assert.deepEqual(startOptions(['--service-port', '0', '--front-port', '9003']), {
      profile: '1.6',
      port: 0,
      servicePort: 0,
      frontPort: 9003,
      help: false,
    });
  });

  test('are refused with a sentence', () => {
    assert.throws(() => startOptions(['--profile', 'other']), /^Error: --profile is one of /);
    assert.throws(() => startOptions(['--service-port', '70000']), /^Error: --service-port is a number/);
  });
});
