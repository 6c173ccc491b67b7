import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { withConsentTo, type Connection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';
import { ServicePool } from '../../../src/connections/servicePool.ts';
import { saveSignedIn } from '../../../src/connections/signIn.ts';
import { CredentialStore } from '../../../src/connections/credentialStore.ts';
import { durableFolder } from '../../../src/platform/durableFolder.ts';
import { systemClock } from '../../../src/time.ts';
import { systemNetwork } from '../../../src/service/http/network.ts';
import { askTokenOwner } from '../../../src/service/server/callerRights.ts';
import { Memory } from '../memory.ts';
import { CREDENTIAL, ME, failureOf } from '../service/clients.ts';
import { reply, wireServer, type WireServer } from '../service/wireServer.ts';
import { MemorySecrets } from './secretStorage.ts';

const FAR = 'http://10.0.0.7:8080';
const CONNECTION: Connection = {
  id: 'a6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e01',
  name: 'Production',
  baseUrl: FAR,
  actorUrn: ME,
  plainHttpConsent: false,
  createdAt: 1_790_000_000_000,
};

interface Machine {
  readonly server: WireServer;
  /** A window of VS Code. All windows share the folder and the secrets. */
  openWindow(shared?: Memory): {
    readonly store: ConnectionStore;
    readonly credentials: CredentialStore;
    readonly services: ServicePool;
  };
}

/** Real parts, except for the secret storage, and a network in which every name leads to one local server. */
async function machine(context: TestContext): Promise<Machine> {
  const server = await wireServer(context, (request, response) => {
    const isConfig = request.path === '/config';
    return reply(
      response,
      200,
      isConfig ? { noCode: 'true', versions: {} } : { data: { me: { corpUser: { urn: ME } } } },
    );
  });
  const path = await mkdtemp(join(tmpdir(), 'metadata-service-services-'));
  context.after(() => rm(path, { recursive: true, force: true }));
  const secrets = new MemorySecrets();
  const fetch: typeof globalThis.fetch = (input, init) => {
    assert.ok(typeof input === 'string');
    return globalThis.fetch(input.replace(new URL(input).origin, server.url), init);
  };
  return {
    server,
    openWindow: (shared = new Memory()) => {
      const folder = durableFolder(path);
      const store = new ConnectionStore(shared, new Memory(), folder, systemClock);
      const credentials = new CredentialStore(secrets, shared, folder, systemClock);
      const environment = {
        timeoutMillis: () => 20_000,
        network: { ...systemNetwork, fetch },
        log: { exchange: () => undefined, bug: () => undefined },
      };
      const services = new ServicePool(store, credentials, shared, environment);
      context.after(() => [services, credentials, store].forEach((one) => one.dispose()));
      return { store, credentials, services };
    },
  };
}

function credentialsSeen({ requests }: WireServer): readonly string[] {
  return requests.flatMap(({ headers }) => headers.authorization ?? []);
}

suite('A credential', () => {
  for (const [what, connection] of Object.entries({
    'without a consent': CONNECTION,
    'with the consent to another origin': withConsentTo('http://10.0.0.8:8080', CONNECTION),
  })) {
    test(`is not sent without encryption ${what}`, async (context) => {
      const { server, openWindow } = await machine(context);
      const window = openWindow();
      const { connection: saved } = await saveSignedIn(window, connection, CREDENTIAL);
      const { services } = window;
      const works = [
        () => services.get(saved).check(),
        () => services.get(saved).indices.listIndexSizes(),
        () => services.createTemporary(saved, CREDENTIAL).check(),
        () => askTokenOwner(services.createTransport(saved, CREDENTIAL)),
      ];
      for (const work of works) {
        const failure = await failureOf(work());
        assert.match(failure.message, /http:\/\//);
        assert.match(failure.next ?? '', /Sign in again/);
      }
      assert.deepEqual(credentialsSeen(server), []);
    });
  }

  test('is sent without encryption with consent', async (context) => {
    const { server, openWindow } = await machine(context);
    const window = openWindow();
    const { connection } = await saveSignedIn(window, withConsentTo(FAR, CONNECTION), CREDENTIAL);
    await window.services.get(connection).callerActorUrn();
    assert.deepEqual(new Set(credentialsSeen(server)), new Set([`Bearer ${CREDENTIAL}`]));
  });
});

suite('A connection under removal', () => {
  const agreed = withConsentTo(FAR, CONNECTION);

  test('sends nothing over an older service and has no credential for a new one', async (context) => {
    const { server, openWindow } = await machine(context);
    const window = openWindow();
    const { connection } = await saveSignedIn(window, agreed, CREDENTIAL);
    const before = window.services.get(connection);
    await window.store.beginRemoval(connection.id);
    assert.equal((await failureOf(before.callerActorUrn())).kind, 'cancelled');
    await window.services.get(connection).callerActorUrn();
    assert.deepEqual(credentialsSeen(server), []);
    assert.deepEqual([window.store.get(connection.id), window.store.all()], [undefined, []]);
  });

  test('has no credential even if this window doesn’t know of the removal yet', async (context) => {
    const { server, openWindow } = await machine(context);
    const shared = new Memory();
    const { connection } = await saveSignedIn(openWindow(shared), agreed, CREDENTIAL);
    const stale = new Memory();
    await Promise.all(shared.keys().map((key) => stale.update(key, shared.get(key))));
    await openWindow(shared).store.beginRemoval(connection.id);
    const late = openWindow(stale);
    assert.ok(late.store.get(connection.id) !== undefined, 'it seems to be there until the marks were read');
    assert.equal((await failureOf(late.services.get(connection).callerActorUrn())).kind, 'cancelled');
    assert.deepEqual(credentialsSeen(server), []);
    assert.equal(late.store.get(connection.id), undefined);
  });

  test('is usable again after the removal was canceled', async (context) => {
    const { server, openWindow } = await machine(context);
    const window = openWindow();
    const { connection } = await saveSignedIn(window, agreed, CREDENTIAL);
    await window.store.beginRemoval(connection.id);
    await window.store.cancelRemoval(connection.id);
    await window.services.get(connection).callerActorUrn();
    assert.ok(credentialsSeen(server).length > 0);
  });
});
