import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Connection } from '../../../src/connections/connection.ts';
import { systemNetwork, type NetworkAccess } from '../../../src/service/http/network.ts';
import { CREDENTIAL, ME } from '../service/clients.ts';
import { shownInputs, type ShownInput } from '../ui/window.ts';
import { tokenUntil } from './tokens.ts';
import { addConnection, connectionTo, knownTo, openWindow, secretOf, sharedStorage, type Window } from './window.ts';

const { editConnection, signInToConnection } = await import('../../../src/connections/connectionFlows.ts');

const [HERE, ELSEWHERE] = ['https://a.example.com', 'https://b.example.com'] as const;

/** Takes any token for this user's. */
const network: NetworkAccess = {
  ...systemNetwork,
  fetch: async (url) =>
    new URL(String(url)).pathname === '/config'
      ? Response.json({ noCode: 'true', versions: { 'acryldata/datahub': { version: 'v1.6.0' } } })
      : Response.json({
          data: {
            me: {
              corpUser: { urn: ME },
              platformPrivileges: { generatePersonalAccessTokens: true, manageTokens: true },
            },
            appConfig: { appVersion: 'v1.6.0', authConfig: { tokenAuthEnabled: true } },
          },
        }),
};

interface Scene {
  readonly connection: Connection;
  readonly here: Window;
  readonly there: Window;
  readonly stored: () => Promise<Connection>;
  readonly secret: () => Promise<string | undefined>;
  readonly parts: Parameters<typeof editConnection>[0];
}

async function scene(context: TestContext, role: Connection['role'], networkHere = network): Promise<Scene> {
  const shared = await sharedStorage(context);
  const [here, there] = [await openWindow(shared, networkHere), await openWindow(shared, network)];
  const connection = await addConnection(here, connectionTo(HERE, { role }), CREDENTIAL);
  const notices = { done: () => undefined, failure: () => undefined };
  return {
    connection,
    here,
    there,
    stored: async () => knownTo(await openWindow(shared, network), connection),
    secret: () => secretOf(shared, connection),
    parts: { ...here, notices } as unknown as Scene['parts'],
  };
}

/** The next input that is shown, with an item or a prompt of this kind. */
async function next(what: RegExp): Promise<ShownInput> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const input = (await shownInputs()).at(-1);
    if (input !== undefined && (what.test(input.prompt ?? '') || input.items.some(({ label }) => what.test(label)))) {
      return input;
    }
    await pause(10);
  }
  return assert.fail(`Nothing shows ${String(what)}.`);
}

async function picks(what: RegExp): Promise<void> {
  const input = await next(what);
  input.selectedItems = input.items.filter(({ label }) => what.test(label));
  input.fire('accept');
}

async function types(prompt: RegExp, text: string): Promise<void> {
  const input = await next(prompt);
  input.value = text;
  input.fire('accept');
}

async function move({ there, connection }: Scene, role: Connection['role']): Promise<void> {
  await there.store.reload();
  await there.store.setRole(connection.id, role);
  await there.store.change(connection.id, () => ({ baseUrl: ELSEWHERE }));
}

suite('An edit while another window moves the connection', () => {
  for (const [before, there] of [
    ['readOnly', 'production'],
    ['production', 'readOnly'],
  ] as const) {
    test(`leads to the address in its form, signed out, and with the stricter role: ${before} here, ${there} there`, async (context) => {
      const on = await scene(context, before);
      const editing = editConnection(on.parts, on.connection, 'Edit Connection');
      await picks(/Name: /);
      await types(/^A name/, 'Renamed');
      await next(/Name: Renamed/);
      await move(on, there);
      await picks(/Save Connection/);
      await editing;
      const { name, baseUrl, role, signIn } = await on.stored();
      assert.deepEqual([name, baseUrl, role, signIn], ['Renamed', HERE, 'readOnly', undefined]);
    });
  }

  test('undoes nothing if it changes nothing', async (context) => {
    const on = await scene(context, 'production');
    const editing = editConnection(on.parts, on.connection, 'Edit Connection');
    await next(/Save Connection/);
    await move(on, 'readOnly');
    await picks(/Save Connection/);
    await editing;
    const { baseUrl, role } = await on.stored();
    assert.deepEqual([baseUrl, role], [ELSEWHERE, 'readOnly']);
  });
});

suite('Signing in while the server can’t be reached', () => {
  const away = {
    ...network,
    fetch: () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } })),
  };

  test('says beside Save Anyway whose token it is, if not the former user’s', async (context) => {
    const on = await scene(context, 'production', away);
    const signingIn = signInToConnection(on.parts, on.connection);
    await types(/^Access token for/, tokenUntil(undefined, 'mallory'));
    const form = await next(/Save Anyway$/);
    assert.ok(form.items.some(({ label }) => /This connection will sign in as mallory, not \w+$/.test(label)));
    form.fire('hide');
    await signingIn;
    assert.doesNotMatch((await on.secret()) ?? '', /mallory/);
  });
});
