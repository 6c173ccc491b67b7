import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startOptions } from '../../../../tools/start/options.ts';
import { requireFreePort } from '../../../../tools/start/ports.ts';

test('without arguments: free ports and a server of today', () => {
  assert.deepEqual(startOptions([]), { profile: 'next', port: 0, servicePort: 0, frontPort: 0, help: false });
});

test('takes ports and a profile', () => {
  const options = startOptions(['--port', '8090', '--service-port=8091', '--front-port', '8092', '--profile', 'spec']);
  assert.deepEqual(options, { profile: 'spec', port: 8090, servicePort: 8091, frontPort: 8092, help: false });
});

test('takes the URL of a search cluster', () => {
  assert.equal(startOptions(['--search-cluster', 'http://127.0.0.1:9200']).searchCluster, 'http://127.0.0.1:9200');
});

const mistakes = [
  ['--port', 'x'],
  ['--port', '65536'],
  ['--port', ''],
  ['--service-port', '-1'],
  ['--front-port', '1.5'],
  ['--profile', 'toString'],
  ['--nothing'],
];
for (const args of mistakes) {
  test(`refuses ${args.join(' ')}, and names it`, () => {
    const [option = ''] = args;
    assert.throws(
      () => startOptions(args),
      (error: Error) => error.message.includes(option),
    );
  });
}

test('a port in use is told with the option that chooses another', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await assert.rejects(
    requireFreePort(port, '--service-port'),
    new RegExp(`^Error: Port ${port} is in use.*--service-port`),
  );
  server.close();
  await once(server, 'close');
  await requireFreePort(port, '--service-port');
});
