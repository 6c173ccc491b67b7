import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { systemNetwork } from '../../../src/service/http/network.ts';
import { askTokenOwner } from '../../../src/service/server/callerRights.ts';
import type { MetadataService } from '../../../src/service/service.ts';
import { Memory } from '../memory.ts';
import { CREDENTIAL, ME, failureOf } from '../service/clients.ts';
import { reply, wireServer, type WireServer } from '../service/wireServer.ts';
import { PLAN } from '../truncation/samples.ts';
import { connectionTo, knownTo, machine, removeFrom, type Machine } from './window.ts';

const FAR = 'http://10.0.0.7:8080';
const MOVED = { baseUrl: 'https://new.example.com' };

interface Online extends Machine {
  readonly server: WireServer;
}

/** A machine that is signed in. Every name leads to the one local server. */
async function online(context: TestContext, connection: Connection, token?: string): Promise<Online> {
  const server = await wireServer(context, ({ path }, response) =>
    reply(
      response,
      200,
      path === '/config' ? { noCode: 'true', versions: {} } : { data: { me: { corpUser: { urn: ME } } } },
    ),
  );
  const fetch: typeof globalThis.fetch = (input, init) => {
    assert.ok(typeof input === 'string');
    return globalThis.fetch(input.replace(new URL(input).origin, server.url), init);
  };
  const network = { ...systemNetwork, fetch };
  return { ...(await machine(context, token, { connection, network })), server };
}

/** Without a product, so that the server is asked for it. */
function farConnection(plainHttpOrigin?: string): Connection {
  return connectionTo(FAR, { product: undefined, plainHttpOrigin });
}

function ask(service: MetadataService): Promise<unknown> {
  return service.server.callerActorUrn();
}

function credentialsSeen({ requests }: WireServer): readonly string[] {
  return requests.flatMap(({ headers }) => headers.authorization ?? []);
}

suite('Plain HTTP', () => {
  for (const [what, connection] of Object.entries({
    'without a consent': farConnection(),
    'with the consent to another origin': farConnection('http://10.0.0.8:8080'),
  })) {
    test(`carries no credential ${what}`, async (context) => {
      const { server, window, connection: saved } = await online(context, connection, CREDENTIAL);
      const { services } = window;
      for (const work of [
        () => services.get(saved).check(),
        () => services.get(saved).indices.listIndexSizes(),
        () => services.createTemporary(saved, { token: CREDENTIAL }).check(),
        () => askTokenOwner(services.createTransport(saved, { token: CREDENTIAL })),
      ]) {
        const failure = await failureOf(work());
        assert.match(failure.message, /http:\/\//);
        assert.match(failure.next ?? '', /Sign in again/);
      }
      assert.deepEqual(credentialsSeen(server), []);
    });
  }

  test('carries no header of the connection without consent, even if there is no token', async (context) => {
    const { server, window, connection } = await online(context, farConnection());
    const service = window.services.createTemporary(connection, { headers: { 'X-Key': 'of-the-gateway' } });
    assert.match((await failureOf(service.check())).message, /http:\/\//);
    assert.deepEqual(server.requests, []);
  });

  for (const [what, connection, token] of [
    ['a credential with consent', farConnection(FAR), CREDENTIAL],
    ['anything else without it', farConnection(), undefined],
  ] as const) {
    test(`carries ${what}`, async (context) => {
      const { server, window, connection: saved } = await online(context, connection, token);
      await ask(window.services.get(saved));
      assert.ok(server.requests.length > 0);
      assert.deepEqual(new Set(credentialsSeen(server)), new Set(token === undefined ? [] : [`Bearer ${token}`]));
    });
  }
});

suite('The credential of a connection', () => {
  test('is sent neither to a former address nor to the new one', async (context) => {
    const { server, window, connection, open } = await online(
      context,
      connectionTo('https://old.example.com'),
      CREDENTIAL,
    );
    const service = window.services.get(connection);
    await (await open()).store.change(connection.id, () => MOVED);
    await window.store.reload();
    assert.equal((await failureOf(ask(service))).kind, 'cancelled', 'what was made for the old address is closed');
    await ask(window.services.get(connection));
    await ask(window.services.get(knownTo(window, connection)));
    assert.ok(server.requests.length > 0);
    assert.deepEqual(credentialsSeen(server), []);
  });

  test('is sent by a window that has no copy of what is known of it, which drops nothing', async (context) => {
    const { server, connection, open } = await online(context, connectionTo('https://datahub.example.com'), CREDENTIAL);
    const later = await open({ memory: new Memory() });
    await ask(later.services.get(knownTo(later, connection)));
    assert.deepEqual(new Set(credentialsSeen(server)), new Set([`Bearer ${CREDENTIAL}`]));
    assert.deepEqual(knownTo(later, connection).signIn, connection.signIn);
  });

  test('is none once it is removed, and what was made with it is closed', async (context) => {
    const { server, window, connection } = await online(context, farConnection(FAR), CREDENTIAL);
    const before = window.services.get(connection);
    await removeFrom(window, connection.id);
    assert.equal((await failureOf(ask(before))).kind, 'cancelled');
    await ask(window.services.get(connection));
    assert.deepEqual(credentialsSeen(server), []);
  });
});

test('Another role of a connection closes nothing that is under way', async (context) => {
  const { window, connection } = await machine(context, CREDENTIAL);
  const service = window.services.get(connection);
  await window.store.setRole(connection.id, 'readOnly');
  assert.equal(window.services.get(knownTo(window, connection)), service);
});

test('Two connections to one server make no dry run in the background beside the other, and two to others do', async (context) => {
  const { server, window, connection } = await online(context, connectionTo('https://datahub.example.com'), CREDENTIAL);
  const { signal } = new AbortController();
  for (const [baseUrl, isSent] of [
    [connection.baseUrl, false],
    ['https://other.example.com', true],
  ] as const) {
    const other = window.services.createTemporary({ ...connection, baseUrl }, { token: CREDENTIAL });
    const dryRun = other.indices.dryRun(PLAN, signal).catch(() => 'answered');
    const background = window.services.get(connection).indices.backgroundDryRun(PLAN, signal);
    assert.equal(await background.catch(() => 'answered'), isSent ? 'answered' : undefined);
    assert.equal(await dryRun, 'answered');
  }
  assert.ok(server.requests.length > 0);
});
