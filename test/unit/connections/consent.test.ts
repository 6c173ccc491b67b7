import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { systemNetwork, type NetworkAccess } from '../../../src/service/http/network.ts';
import { askTokenOwner } from '../../../src/service/server/callerRights.ts';
import { CREDENTIAL, ME, failureOf } from '../service/clients.ts';
import { reply, wireServer, type WireServer } from '../service/wireServer.ts';
import { addConnection, connectionTo, openWindow, removeFrom, sharedStorage, type SharedStorage } from './window.ts';

const FAR = 'http://10.0.0.7:8080';

interface Machine {
  readonly server: WireServer;
  readonly shared: SharedStorage;
  /** Every name leads to the one local server. */
  readonly network: NetworkAccess;
}

async function machine(context: TestContext): Promise<Machine> {
  const server = await wireServer(context, (request, response) => {
    const isConfig = request.path === '/config';
    return reply(
      response,
      200,
      isConfig ? { noCode: 'true', versions: {} } : { data: { me: { corpUser: { urn: ME } } } },
    );
  });
  const fetch: typeof globalThis.fetch = (input, init) => {
    assert.ok(typeof input === 'string');
    return globalThis.fetch(input.replace(new URL(input).origin, server.url), init);
  };
  return { server, shared: await sharedStorage(context), network: { ...systemNetwork, fetch } };
}

/** Without a product, so that the server is asked for it. */
function farConnection(plainHttpOrigin?: string): Connection {
  return connectionTo(FAR, { product: undefined, plainHttpOrigin });
}

function credentialsSeen({ requests }: WireServer): readonly string[] {
  return requests.flatMap(({ headers }) => headers.authorization ?? []);
}

suite('A credential', () => {
  for (const [what, connection] of Object.entries({
    'without a consent': farConnection(),
    'with the consent to another origin': farConnection('http://10.0.0.8:8080'),
  })) {
    test(`is not sent without encryption ${what}`, async (context) => {
      const { server, shared, network } = await machine(context);
      const window = await openWindow(shared, network);
      const saved = await addConnection(window, connection, CREDENTIAL);
      const { services } = window;
      const works = [
        () => services.get(saved).check(),
        () => services.get(saved).indices.listIndexSizes(),
        () => services.createTemporary(saved, { token: CREDENTIAL }).check(),
        () => askTokenOwner(services.createTransport(saved, { token: CREDENTIAL })),
      ];
      for (const work of works) {
        const failure = await failureOf(work());
        assert.match(failure.message, /http:\/\//);
        assert.match(failure.next ?? '', /Sign in again/);
      }
      assert.deepEqual(credentialsSeen(server), []);
    });
  }

  test('is not sent without encryption if it is a header alone', async (context) => {
    const { server, shared, network } = await machine(context);
    const { services } = await openWindow(shared, network);
    const service = services.createTemporary(farConnection(), { headers: { 'X-Key': 'of-the-gateway' } });
    assert.match((await failureOf(service.check())).message, /http:\/\//);
    assert.deepEqual(server.requests, []);
  });

  test('is sent without encryption with consent', async (context) => {
    const { server, shared, network } = await machine(context);
    const window = await openWindow(shared, network);
    const connection = await addConnection(window, farConnection(FAR), CREDENTIAL);
    await window.services.get(connection).callerActorUrn();
    assert.deepEqual(new Set(credentialsSeen(server)), new Set([`Bearer ${CREDENTIAL}`]));
  });

  test('needs no consent that does not exist', async (context) => {
    const { server, shared, network } = await machine(context);
    const window = await openWindow(shared, network);
    await window.services.get(await addConnection(window, farConnection())).callerActorUrn();
    assert.ok(server.requests.length > 0);
    assert.deepEqual(credentialsSeen(server), []);
  });
});

suite('A removed connection', () => {
  test('sends nothing over an older service and has no credential for a new one', async (context) => {
    const { server, shared, network } = await machine(context);
    const window = await openWindow(shared, network);
    const connection = await addConnection(window, farConnection(FAR), CREDENTIAL);
    const before = window.services.get(connection);
    await removeFrom(window, connection.id);
    assert.equal((await failureOf(before.callerActorUrn())).kind, 'cancelled');
    await window.services.get(connection).callerActorUrn();
    assert.deepEqual(credentialsSeen(server), []);
  });

  test('has no credential in a window that doesn’t know of the removal yet', async (context) => {
    const { server, shared, network } = await machine(context);
    const window = await openWindow(shared, network);
    const connection = await addConnection(window, farConnection(FAR), CREDENTIAL);
    const late = await openWindow(shared, network);
    await removeFrom(window, connection.id);
    // Changes of the secret storage are reported a turn later, and end what is under way.
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(late.store.get(connection.id) !== undefined, 'it seems to be there until its file is read again');
    await late.services.get(connection).callerActorUrn();
    assert.deepEqual(credentialsSeen(server), []);
  });
});
