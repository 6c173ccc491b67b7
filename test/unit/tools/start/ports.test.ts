import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { suite, test } from 'node:test';
import { requireFreePort, usualPort } from '../../../../tools/start/ports.ts';

suite('A port of a start', () => {
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    test(`is another one if a program listens at the usual one of ${host}`, async () => {
      const server = createServer((socket) => socket.destroy()).listen(0, host);
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      assert.equal(await usualPort(port), 0);
      await assert.rejects(
        requireFreePort(port, '--port'),
        /^Error: Port \d+ is in use by another program\. .* --port,/,
      );
      server.close();
      await once(server, 'close');
      assert.equal(await usualPort(port), port);
      await requireFreePort(port, '--port');
    });
  }

  test('may be any', async () => {
    await requireFreePort(0, '--port');
    assert.equal(await usualPort(0), 0);
  });
});
