import assert from 'node:assert/strict';
import { mayStillSend } from '../../../src/connections/mayStillSend.ts';
import { suite, test, type TestContext } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { checkServer } from '../../../src/connections/connectionCheck.ts';
import { signOutOfConnection } from '../../../src/connections/signIn.ts';
import { Emitter } from '../../../src/platform/events.ts';
import { systemNetwork, type NetworkAccess } from '../../../src/service/http/network.ts';
import type { MetadataService } from '../../../src/service/service.ts';
import { serviceFor } from '../../service/testClient.ts';
import { Memory } from '../memory.ts';
import { CREDENTIAL, failureOf } from '../service/clients.ts';
import { connectionTo, sharedStorage, windowOn, type SharedStorage, type Window } from './window.ts';

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

async function saved({ store, credentials }: Window, connection: Connection): Promise<Connection> {
  await credentials.store(connection, CREDENTIAL);
  await store.save(connection);
  return connection;
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
    const connection = await saved(here, connectionTo('https://datahub.example.com'));
    const revoke = (sender: MetadataService): Promise<unknown> =>
      sender.tokens.revoke('some-id', { mayStillSend: mayStillSend(here, connection) });
    const service = here.services.get(connection);
    await revoke(service);
    sent.length = 0;
    await there.store.save({ ...connection, role: 'readOnly' });
    assert.equal((await failureOf(revoke(service))).kind, 'readOnly');
    // An outdated connection stands for the stored one.
    assert.equal((await failureOf(revoke(here.services.get(connection)))).kind, 'readOnly');
    assert.equal((await failureOf(revoke(here.services.createTemporary(connection, CREDENTIAL)))).kind, 'readOnly');
    assert.deepEqual(sent, []);
    assert.equal(here.services.get(connection), service, 'what is under way was closed');
    await here.store.save({ ...connection, role: 'development' });
    await revoke(service);
    assert.equal(sent.length, 1);
  });
});

suite('An outdated connection', () => {
  for (const [what, change] of [
    ['was removed', ({ store }: Window, { id }: Connection) => store.beginRemoval(id)],
    [
      'has another address',
      ({ store }: Window, connection: Connection) =>
        store.save({ ...connection, baseUrl: 'https://new.example.com' }, connection),
    ],
    [
      'is another user’s',
      ({ store }: Window, connection: Connection) =>
        store.save({ ...connection, actorUrn: 'urn:li:corpuser:else' }, connection),
    ],
  ] as const) {
    test(`sends no change once it ${what}, with or without a token`, async (context) => {
      const { window, sent } = await watched(context);
      const connection = await saved(window, connectionTo('https://old.example.com'));
      await change(window, connection);
      // A caller may hold the outdated connection during a question.
      const { tokens } = window.services.get(connection);
      const failure = await failureOf(tokens.revoke('some-id', { mayStillSend: mayStillSend(window, connection) }));
      assert.match(failure.message, /nothing was sent/);
      assert.equal(failure.mayHaveActed, false);
      assert.deepEqual(sent, []);
    });
  }
});

suite('A connection that another window removed', () => {
  test('sends no change, although VS Code reports nothing', async (context) => {
    const { window, sent, shared } = await watched(context);
    const connection = await saved(window, connectionTo('https://old.example.com'));
    await window.store.load();
    const { tokens } = window.services.get(connection);
    const other = windowOn({ ...shared, memory: new Memory() });
    await other.store.beginRemoval(connection.id);
    const failure = await failureOf(tokens.revoke('some-id', { mayStillSend: mayStillSend(window, connection) }));
    assert.deepEqual([failure.mayHaveActed, sent], [false, []]);
  });
});

suite('A token signed out in another window', () => {
  test('changes nothing, although VS Code reports nothing', async (context) => {
    const { window, sent, shared } = await watched(context, { tellsOfSecrets: false });
    const connection = await saved(window, connectionTo('https://datahub.example.com'));
    await ask(window.services.get(connection));
    sent.length = 0;
    const memory = new Memory();
    await memory.update(`connection.${connection.id}`, connection);
    await signOutOfConnection(windowOn({ ...shared, memory }), connection);
    const { tokens } = window.services.get(connection);
    assert.equal(
      (await failureOf(tokens.revoke('some-id', { mayStillSend: mayStillSend(window, connection) }))).kind,
      'notSent',
    );
    assert.deepEqual(sent, []);
  });
});

suite('A keychain that waits for its password', () => {
  test('allows a sign-out in another window to stop a change', async (context) => {
    const { window, network, sent, shared } = await watched(context, { tellsOfSecrets: false });
    const connection = await saved(window, connectionTo('https://datahub.example.com'));
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
    const waiting = windowOn({ ...shared, secrets }, network);
    const work = failureOf(
      waiting.services.get(connection).tokens.revoke('some-id', { mayStillSend: mayStillSend(waiting, connection) }),
    );
    await asked.promise;
    const memory = new Memory();
    await memory.update(`connection.${connection.id}`, connection);
    await signOutOfConnection(windowOn({ ...shared, memory }), connection);
    answered.resolve();
    const failure = await work;
    assert.deepEqual([failure.kind, failure.mayHaveActed, sent], ['notSent', false, []]);
  });
});

suite('Plain HTTP to another machine', () => {
  const PLAIN = 'http://datahub.example.com';

  test('sends neither a token nor anything else without consent', async (context) => {
    const { window, sent } = await watched(context);
    const connection = await saved(window, connectionTo(PLAIN));
    const failure = await failureOf(ask(window.services.get(connection)));
    assert.match(failure.message, /http:\/\//);
    assert.equal(failure.mayHaveActed, false);
    assert.deepEqual(sent, []);
  });

  test('tries no token of an unsaved connection without consent', async (context) => {
    const { window, sent } = await watched(context);
    const failure = await failureOf(ask(window.services.createTemporary(connectionTo(PLAIN), CREDENTIAL)));
    assert.match(failure.message, /http:\/\//);
    assert.deepEqual(sent, []);
  });

  test('sends the token with consent', async (context) => {
    const { window, sent } = await watched(context);
    const connection = await saved(window, connectionTo(PLAIN, { plainHttpConsent: true }));
    await ask(window.services.get(connection));
    assert.ok(
      sent.length > 0 &&
        sent.every(({ url, authorization }) => url.startsWith(`${PLAIN}/`) && authorization === `Bearer ${CREDENTIAL}`),
    );
  });

  test('needs no consent while signed out', async (context) => {
    const { window, sent } = await watched(context);
    const connection = connectionTo(PLAIN);
    await window.store.save(connection);
    await ask(window.services.get(connection));
    assert.ok(sent.length > 0 && sent.every(({ authorization }) => authorization === undefined));
  });
});

suite('The credential of a connection', () => {
  test('is not sent to the former address', async (context) => {
    const { window, sent } = await watched(context);
    const connection = await saved(window, connectionTo('https://old.example.com'));
    const service = window.services.get(connection);
    await window.store.save({ ...connection, baseUrl: 'https://new.example.com' });
    assert.equal((await failureOf(ask(service))).kind, 'cancelled', 'what was made for the old address is closed');
    await ask(window.services.get(connection));
    assert.deepEqual([...new Set(sent.map(({ authorization }) => authorization))], [undefined]);
  });

  test('is not sent once the removal has begun', async (context) => {
    const { window, sent } = await watched(context);
    const connection = await saved(window, connectionTo('https://datahub.example.com'));
    await ask(window.services.get(connection));
    assert.ok(sent.every(({ authorization }) => authorization !== undefined));
    sent.length = 0;
    await window.store.beginRemoval(connection.id);
    await ask(window.services.get(connection));
    assert.ok(sent.length > 0 && sent.every(({ authorization }) => authorization === undefined));
  });
});

suite('A connection that was tested before it was saved', () => {
  test('asks the server for nothing again that the test has learned', async (context) => {
    const server = await serviceFor(context, { profile: '1.6' });
    const { urn, token } = server.users.admin;
    const window = windowOn(await sharedStorage(context));
    const connection = { ...connectionTo(server.url), actorUrn: urn };
    const service = window.services.createTemporary(connection, token);
    await checkServer(service, AbortSignal.timeout(30_000));
    service.close();
    const learned = server.requests.filter(isAboutServer).length;
    assert.ok(learned >= 2, 'its product, and whether it has service accounts');
    await window.credentials.store(connection, token);
    await window.store.save(connection);
    const first = window.services.get(connection);
    assert.equal(await first.hasServiceAccounts(), true);
    await first.indices.listIndexSizes();
    assert.equal(server.requests.filter(isAboutServer).length, learned);
  });

  function isAboutServer({ path, body }: { readonly path: string; readonly body: string }): boolean {
    return path.endsWith('/config') || body.includes('__type');
  }
});
