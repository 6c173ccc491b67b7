import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readCommandLineEnvironment } from '../../../src/connections/commandLineEnvironment.ts';

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE';

suite("The command line's environment", () => {
  for (const [what, environment, expected] of [
    ['nothing', {}, undefined],
    ['a token alone', { DATAHUB_GMS_TOKEN: TOKEN }, undefined],
    ['no address', { DATAHUB_GMS_URL: 'file:///etc/passwd', DATAHUB_GMS_TOKEN: TOKEN }, undefined],
    ['a server', { DATAHUB_GMS_URL: 'http://localhost:8080' }, ['http://localhost:8080', undefined]],
    [
      'server and token',
      { DATAHUB_GMS_URL: 'https://dh.example/gms', DATAHUB_GMS_TOKEN: ` "${TOKEN}"` },
      ['https://dh.example/gms', TOKEN],
    ],
    [
      'a port, which the command prefers',
      { DATAHUB_GMS_HOST: 'gms.prod', DATAHUB_GMS_PORT: '8080', DATAHUB_GMS_URL: 'https://dh.example' },
      ['http://gms.prod:8080', undefined],
    ],
    [
      'a port and a protocol',
      { DATAHUB_GMS_HOST: 'gms.prod', DATAHUB_GMS_PORT: '443', DATAHUB_GMS_PROTOCOL: 'https' },
      ['https://gms.prod', undefined],
    ],
    [
      'a host beside an empty address',
      { DATAHUB_GMS_URL: '', DATAHUB_GMS_HOST: 'http://gms.prod' },
      ['http://gms.prod', undefined],
    ],
    ['a host alone', { DATAHUB_GMS_HOST: 'https://gms.prod' }, ['https://gms.prod', undefined]],
  ] as const) {
    test(`gives what the command would use of ${what}`, () => {
      const { connection, remarks } = readCommandLineEnvironment(environment) ?? {};
      assert.deepEqual(connection && [connection.baseUrl, connection.token], expected);
      assert.deepEqual(remarks ?? [], []);
    });
  }

  test('gives no token where it has the address instead, and says so', () => {
    for (const address of ['http://gms.prod:8080', 'gms.prod:8080', 'gms.prod']) {
      const read = readCommandLineEnvironment({ DATAHUB_GMS_URL: 'http://gms.prod:8080', DATAHUB_GMS_TOKEN: address });
      assert.equal(read?.connection.token, undefined);
      assert.deepEqual(read?.remarks, ["Its token can't be an access token, so it isn't imported."]);
    }
  });
});
