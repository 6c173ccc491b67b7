import assert from 'node:assert/strict';
import { mayStillSend } from '../../../src/connections/mayStillSend.ts';
import { suite, test, type TestContext } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { Emitter } from '../../../src/platform/events.ts';
import { systemNetwork, type NetworkAccess } from '../../../src/service/http/network.ts';
import type { MetadataService } from '../../../src/service/service.ts';
import { serviceFor } from '../../service/testClient.ts';
import { Memory } from '../memory.ts';
import { CREDENTIAL, failureOf } from '../service/clients.ts';
import {
  addConnection,
  connectionTo,
  openWindow,
  removeFrom,
  sharedStorage,
  windowOn,
  type SharedStorage,
  type Window,
} from './window.ts';

interface Sent {
  readonly url: string;
  readonly authorization: string | undefined;
}

interface RecordedWindow {
  readonly window: Window;
  readonly network: NetworkAccess;
  readonly sent: Sent[];
  readonly shared: SharedStorage;
}

/** A window whose requests are answered and recorded, except for those that ask for the user's identity. */
async function watched(context: TestContext, { tellsOfSecrets = true } = {}): Promise<RecordedWindow> {
  const sent: Sent[] = [];
  const network: NetworkAccess = {
    ...systemNetwork,
    fetch: (input, init) => {
      const authorization = new Headers(init?.headers).get('authorization') ?? undefined;
      if (String(input).endsWith('/config')) {
        assert.equal(authorization, undefined, 'who a server is, is asked without a credential');
      } else {
        sent.push({ url: String(input), authorization });
      }
      return Promise.resolve(Response.json({ value: { indexSizes: [] } }));
    },
  };
  const stored = await sharedStorage(context);
  const onDidChange = tellsOfSecrets ? stored.secrets.onDidChange : new Emitter<never>().event;
  const shared = { ...stored, secrets: { ...stored.secrets, onDidChange } };
  return { window: windowOn(shared, network), network, sent, shared };
}

function ask(service: MetadataService): Promise<unknown> {
  return service.indices.listIndexSizes();
}

suite('A read-only connection', () => {
  test('sends no change, even over an older service, whichever window set the role', async (context) => {
    const sent: string[] = [];
    const network: NetworkAccess = {
      ...systemNetwork,
      fetch: (input) => {
        sent.push(String(input));
        return Promise.resolve(Response.json({ data: { revokeAccessToken: true } }));
      },
    };
    const shared = await sharedStorage(context);
    const [here, there] = [windowOn(shared, network), windowOn(shared, network)];
    const connection = await addConnection(here, connectionTo('https://datahub.example.com'), CREDENTIAL);
    const revoke = (sender: MetadataService): Promise<unknown> =>
      sender.tokens.revoke('some-id', { mayStillSend: mayStillSend(here, connection) });
    const service = here.services.get(connection);
    await revoke(service);
    sent.length = 0;
    await there.store.setRole(connection.id, { role: 'readOnly', chosen: true });
    assert.equal((await failureOf(revoke(service))).kind, 'readOnly');
    // An outdated connection stands for the stored one.
    assert.equal((await failureOf(revoke(here.services.get(connection)))).kind, 'readOnly');
    assert.equal(
      (await failureOf(revoke(here.services.createTemporary(connection, { token: CREDENTIAL })))).kind,
      'readOnly',
    );
    assert.deepEqual(sent, []);
    assert.equal(here.services.get(connection), service, 'what is under way was closed');
    await here.store.setRole(connection.id, { role: 'development', chosen: false });
    await revoke(service);
    assert.equal(sent.length, 1);
  });
});

suite('An outdated connection', () => {
  for (const [what, change] of [
    ['was removed', (window: Window, { id }: Connection) => removeFrom(window, id)],
    [
      'has another address',
      ({ store }: Window, { id }: Connection) => store.change(id, () => ({ baseUrl: 'https://new.example.com' })),
    ],
    ['was signed out', ({ credentials }: Window, connection: Connection) => credentials.signOut(connection)],
  ] as const) {
    test(`sends no change once it ${what} in another window, although VS Code reports nothing`, async (context) => {
      const { window, sent, shared } = await watched(context, { tellsOfSecrets: false });
      const connection = await addConnection(window, connectionTo('https://old.example.com'), CREDENTIAL);
      await ask(window.services.get(connection));
      sent.length = 0;
      await change(await openWindow(shared), connection);
      // A caller may hold the outdated connection during a question.
      const { tokens } = window.services.get(connection);
      const failure = await failureOf(tokens.revoke('some-id', { mayStillSend: mayStillSend(window, connection) }));
      assert.match(failure.message, /nothing was sent/);
      assert.deepEqual([failure.kind, failure.mayHaveActed, sent], ['notSent', false, []]);
    });
  }
});

suite('A keychain that waits for its password', () => {
  test('allows a sign-out in another window to stop a change', async (context) => {
    const { window, network, sent, shared } = await watched(context, { tellsOfSecrets: false });
    const connection = await addConnection(window, connectionTo('https://datahub.example.com'), CREDENTIAL);
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const secrets = {
      ...shared.secrets,
      get: async (key: string) => {
        const stored = await shared.secrets.get(key);
        asked.resolve();
        await answered.promise;
        return stored;
      },
    };
    const waiting = await openWindow({ ...shared, secrets }, network);
    const work = failureOf(
      waiting.services.get(connection).tokens.revoke('some-id', { mayStillSend: mayStillSend(waiting, connection) }),
    );
    await asked.promise;
    await window.credentials.signOut(connection);
    answered.resolve();
    const failure = await work;
    assert.deepEqual([failure.kind, failure.mayHaveActed, sent], ['notSent', false, []]);
  });
});

suite('The credential of a connection', () => {
  test('is sent neither to a former address nor to the new one', async (context) => {
    const { window, sent, shared } = await watched(context);
    const connection = await addConnection(window, connectionTo('https://old.example.com'), CREDENTIAL);
    const service = window.services.get(connection);
    const { store } = await openWindow(shared);
    await store.change(connection.id, () => ({ baseUrl: 'https://new.example.com' }));
    await window.store.reload();
    assert.equal((await failureOf(ask(service))).kind, 'cancelled', 'what was made for the old address is closed');
    await ask(window.services.get(connection));
    await ask(window.services.get(window.store.get(connection.id) ?? assert.fail()));
    assert.deepEqual([...new Set(sent.map(({ authorization }) => authorization))], [undefined]);
  });

  test('is sent by a window that has no copy of what is known of it, which drops nothing', async (context) => {
    const { window, network, sent, shared } = await watched(context);
    const connection = await addConnection(window, connectionTo('https://datahub.example.com'), CREDENTIAL);
    const later = await openWindow({ ...shared, memory: new Memory() }, network);
    await ask(later.services.get(later.store.get(connection.id) ?? assert.fail()));
    assert.ok(sent.length > 0 && sent.every(({ authorization }) => authorization === `Bearer ${CREDENTIAL}`));
    assert.deepEqual(later.store.get(connection.id)?.signIn, connection.signIn);
  });
});

suite('A connection that was tested before it was saved', () => {
  test('asks the server for nothing again that the test has learned', async (context) => {
    const server = await serviceFor(context, { profile: '1.6' });
    const { urn, token } = server.users.admin;
    const window = windowOn(await sharedStorage(context));
    const connection = connectionTo(server.url, { actorUrn: urn });
    const service = window.services.createTemporary(connection, { token });
    await service.check(AbortSignal.timeout(30_000));
    service.close();
    const learned = server.requests.filter(isAboutServer).length;
    assert.equal(learned, 1);
    const first = window.services.get(await addConnection(window, connection, token));
    await first.indices.listIndexSizes();
    assert.equal(server.requests.filter(isAboutServer).length, learned);
  });

  function isAboutServer({ path }: { readonly path: string }): boolean {
    return path.endsWith('/config');
  }
});
