import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import { knownSecrets, rememberHeader, rememberSecret, TokenSecret } from '../../../../src/service/failure/secret.ts';
import { READING, transportAt } from '../clients.ts';
import { reply, wireServer } from '../wireServer.ts';

test('A secret prints as nothing, however it is printed', () => {
  const secret = new TokenSecret('hunter2-hunter2');
  const printed = [
    String(secret),
    JSON.stringify({ secret }),
    inspect({ secret }, { depth: 9, showHidden: true }),
    Object.values(secret).join(),
    inspect(new Error('x', { cause: secret })),
  ];
  assert.deepEqual(printed.slice(0, 4), ['<secret>', '{"secret":"<secret>"}', '{ secret: <secret> }', '']);
  assert.ok(!printed.join().includes('hunter2'));
  assert.equal(secret.reveal(), 'hunter2-hunter2');
});

suite('A token used in this window is masked everywhere', () => {
  const anyServer = transportAt('http://127.0.0.1:1');

  test('when one connection sent it and another server echoes it', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 200, {}));
    const token = 'opaque-token-of-another-connection';
    const one = transportAt(server.url, { readSecrets: () => Promise.resolve({ token }) });
    await one.exchange({ operation: READING, method: 'GET', path: '/config' });
    one.close();
    assert.equal(anyServer.readableText(`got ${token}!`, READING), 'got <redacted>!');
    assert.equal(anyServer.withoutSecrets(`got ${token}!`), 'got <redacted>!');
  });

  test('when it was just created', () => {
    const created = new TokenSecret('made-a-moment-ago-4711');
    assert.equal(anyServer.readableText(`made ${created.reveal()}`, READING), 'made <redacted>');
  });

  test('when a server quotes a part of a header', () => {
    rememberHeader('Basic c2hvcnQ6MQ==');
    rememberHeader('gate=part-one; other=part-two');
    assert.equal(anyServer.readableText('Refused: c2hvcnQ6MQ, part-two', READING), 'Refused: <redacted>, <redacted>');
  });
});

suite('The remembered tokens', () => {
  test('are distinct, and none is as short as a word', () => {
    rememberSecret('opaque-token-0123456789');
    rememberSecret('opaque-token-9876543210');
    rememberSecret('opaque-token-0123456789');
    assert.equal(knownSecrets().filter((token) => token === 'opaque-token-0123456789').length, 1);
    const before = knownSecrets();
    rememberSecret('admin');
    rememberSecret('');
    rememberSecret('opaque-token-0123456789');
    assert.equal(knownSecrets(), before, 'what is sought would be prepared anew');
  });
});
