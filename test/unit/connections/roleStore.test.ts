import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import type { Connection } from '../../../src/connections/connection.ts';
import { ROLES, isLaxerRole, type ConnectionRole } from '../../../src/connections/role.ts';
import { mayStillSend } from '../../../src/connections/mayStillSend.ts';
import { ConnectionRoleStore, prevailingChoice, type RoleChoice } from '../../../src/connections/roleStore.ts';
import { durableFolder } from '../../../src/platform/durableFolder.ts';
import { systemClock } from '../../../src/time.ts';
import { systemNetwork, type NetworkAccess } from '../../../src/service/http/network.ts';
import { saveSignedIn } from '../../../src/connections/signIn.ts';
import { CREDENTIAL, failureOf } from '../service/clients.ts';
import { Memory } from '../memory.ts';
import { SteppedClock } from '../steppedClock.ts';
import { LossyStorage, type LossyWindow } from './lossyStorage.ts';
import { connectionTo, sharedStorage, windowOn, type SharedStorage, type Window } from './window.ts';

const ROLE = fc.constantFrom(...ROLES);
const CHOICE: fc.Arbitrary<RoleChoice> = fc.record(
  { role: ROLE, counter: fc.integer({ min: 1, max: 6 }) },
  { noNullPrototype: true },
);
const CHOICES = fc.array(CHOICE, { maxLength: 8 });

suite('Several choices of a role', () => {
  test('yield the strictest of those with the highest counter', () => {
    fc.assert(
      fc.property(fc.array(CHOICE, { minLength: 1, maxLength: 8 }), (choices) => {
        const held = prevailingChoice(choices);
        const highest = Math.max(...choices.map(({ counter }) => counter));
        const last = choices.filter(({ counter }) => counter === highest);
        assert.equal(held.counter, highest);
        assert.ok(last.some(({ role }) => role === held.role));
        assert.ok(last.every(({ role }) => !isLaxerRole(held.role, role)));
      }),
    );
  });

  test('yield a later one, even a deliberate relaxation', () => {
    fc.assert(
      fc.property(CHOICES, ROLE, (choices, role) => {
        const later = { role, counter: prevailingChoice(choices).counter + 1 };
        assert.deepEqual(prevailingChoice([...choices, later]), later);
      }),
    );
  });

  test('yield the same one in every order, by every way in which windows learn of them', () => {
    fc.assert(
      fc.property(CHOICES, CHOICES, CHOICES, (some, others, seenByBoth) => {
        const merged = prevailingChoice([...some, ...others, ...seenByBoth]);
        const oneWay = [prevailingChoice([...some, ...seenByBoth]), prevailingChoice([...seenByBoth, ...others])];
        assert.deepEqual(prevailingChoice(oneWay), merged);
        assert.deepEqual(prevailingChoice(oneWay.toReversed()), merged);
      }),
    );
  });
});

suite('A chosen role', () => {
  for (const [from, to] of [
    ['development', 'readOnly'],
    ['development', 'production'],
    ['readOnly', 'development'],
  ] as const) {
    test(`stays ${to}, after ${from}, when another window writes its outdated values`, async (context) => {
      const { here, there, connection } = await twoWindows(context, from);
      await choose(here, connection, to);
      await there.storage.memory.update('anything', 'else');
      there.storage.flush();
      await Promise.all([here.store.reload(), there.store.reload()]);
      assert.deepEqual([roleIn(here, connection), roleIn(there, connection)], [to, to]);
      assert.deepEqual(
        there.store.all().map(({ role }) => role),
        [to],
      );
    });
  }

  test('is known in a window that is opened later', async (context) => {
    const { shared, storages, here, there, connection } = await twoWindows(context, 'development');
    await choose(here, connection, 'readOnly');
    there.storage.flush();
    const { store } = open(shared, storages);
    await store.load();
    assert.equal(store.get(connection.id)?.role, 'readOnly');
  });

  test('is the last choice of any window', async (context) => {
    const { here, there, connection } = await twoWindows(context, 'development');
    const choices = [
      [here, 'readOnly'],
      [there, 'production'],
      [there, 'development'],
      [here, 'production'],
      [there, 'readOnly'],
      [here, 'development'],
    ] as const;
    for (const [window, role] of choices) {
      await chooseAndSee(window, role);
    }

    async function chooseAndSee(window: OpenWindow, role: ConnectionRole): Promise<void> {
      await window.store.reload();
      await choose(window, connection, role);
      (window === here ? there : here).storage.flush();
      await Promise.all([here.store.reload(), there.store.reload()]);
      assert.deepEqual([roleIn(here, connection), roleIn(there, connection)], [role, role]);
    }
  });

  for (const [mine, theirs, before, held] of [
    ['development', 'readOnly', 'production', 'readOnly'],
    ['readOnly', 'development', 'production', 'readOnly'],
    ['development', 'production', 'readOnly', 'production'],
  ] as const) {
    for (const when of ['before', 'at the same time'] as const) {
      test(`is ${held} if this window chose ${mine} and another one ${theirs} ${when}`, async (context) => {
        const { here, there, connection } = await twoWindows(context, before);
        const first = choose(there, connection, theirs);
        if (when === 'before') await first;
        await Promise.all([first, choose(here, connection, mine)]);
        await Promise.all([here.store.reload(), there.store.reload()]);
        assert.deepEqual([roleIn(here, connection), roleIn(there, connection)], [held, held]);
      });
    }
  }

  test('is not relaxed by an earlier choice, even if the role is the same again', async (context) => {
    const { shared, here, connection } = await twoWindows(context, 'readOnly');
    const folder = durableFolder(shared.path);
    let meanwhile = async (): Promise<void> => {
      meanwhile = () => Promise.resolve();
      await choose(here, connection, 'development');
      await choose(here, connection, 'readOnly');
    };
    const create = (name: string, text: string): Promise<boolean> => meanwhile().then(() => folder.create(name, text));
    const roles = new ConnectionRoleStore(new Memory(), { ...folder, create }, systemClock);
    context.after(() => roles.dispose());
    assert.equal(await roles.recordChoice(connection.id, 'development', 'readOnly', undefined), 'readOnly');
    await here.store.reload();
    assert.equal(roleIn(here, connection), 'readOnly');
  });

  test('survives changes of other fields from an outdated window', async (context) => {
    const { here, there, connection } = await twoWindows(context, 'development');
    await choose(here, connection, 'readOnly');
    const stale = there.store.get(connection.id) ?? assert.fail();
    await there.store.save({ ...stale, name: 'Renamed' }, stale);
    await saveSignedIn(there, { ...stale, name: 'Renamed' }, CREDENTIAL, stale);
    there.storage.flush();
    await Promise.all([here.store.reload(), there.store.reload()]);
    assert.deepEqual([roleIn(here, connection), roleIn(there, connection)], ['readOnly', 'readOnly']);
    assert.equal(here.store.get(connection.id)?.name, 'Renamed');
  });

  test('keeps other changes made meanwhile, such as a sign-in', async (context) => {
    const { here, connection } = await twoWindows(context, 'development');
    const choosing = choose(here, connection, 'production');
    const { connection: signedIn } = await saveSignedIn(here, connection, CREDENTIAL);
    await choosing;
    assert.deepEqual(here.store.get(connection.id), { ...signedIn, role: 'production' });
  });

  test('reaches a window with another folder, even if VS Code lost it once', async (context) => {
    const storages = new LossyStorage();
    const [local, remote] = [await sharedStorage(context), await sharedStorage(context)];
    const clock = new SteppedClock();
    const here = open(local, storages, clock);
    const there = open(remote, storages);
    const connection = connectionTo('https://datahub.example.com', { role: 'development' });
    await here.store.save(connection);
    here.storage.flush();
    await there.store.reload();
    await choose(here, connection, 'readOnly');
    there.storage.flush();
    assert.equal(roleIn(there, connection), 'development');
    clock.advance(1_000);
    await Promise.resolve();
    here.storage.flush();
    assert.equal(roleIn(there, connection), 'readOnly');
    await choose(there, connection, 'production');
    there.storage.flush();
    await here.store.reload();
    assert.equal(roleIn(here, connection), 'production');
  });

  test('is the stricter one if two folders have the same number', async (context) => {
    const { shared, here, connection } = await twoWindows(context, 'development');
    await here.storage.memory.update(`role.${connection.id}`, { role: 'production', counter: 1 });
    assert.equal(roleIn(here, connection), 'production');
    await choose(here, connection, 'readOnly');
    await here.storage.memory.update(`role.${connection.id}`, { role: 'development', counter: 2 });
    assert.equal(roleIn(here, connection), 'readOnly');
    assert.ok((await readdir(shared.path)).includes(`role.${connection.id}.2.json`));
  });

  test('is stored in a form that other versions read', async (context) => {
    const { shared, here, connection } = await twoWindows(context, 'development');
    await choose(here, connection, 'readOnly');
    const text = await readFile(join(shared.path, `role.${connection.id}.2.json`), 'utf8');
    assert.equal(text, '{"role":"readOnly"}');
    const copy = here.storage.memory.get<unknown>(`role.${connection.id}`);
    assert.deepEqual(copy, { role: 'readOnly', counter: 2 });
  });

  test('is deleted with the connection', async (context) => {
    const { shared, here, connection } = await twoWindows(context, 'development');
    await choose(here, connection, 'readOnly');
    await here.store.beginRemoval(connection.id);
    await here.store.cancelRemoval(connection.id);
    assert.equal(roleIn(here, connection), 'readOnly', 'a removal that failed takes nothing away');
    await here.store.beginRemoval(connection.id);
    await here.store.completeRemoval(connection.id);
    const names = await readdir(shared.path);
    assert.deepEqual(
      [...names, ...here.storage.memory.keys()].filter((name) => name.startsWith('role.')),
      [],
    );
  });

  test('leaves only a few files after many choices', async (context) => {
    const { shared, here, connection } = await twoWindows(context, 'development');
    for (let times = 0; times < 6; times++) {
      for (const role of ['readOnly', 'development'] as const) {
        await choose(here, connection, role);
      }
    }
    const files = (await readdir(shared.path)).filter((name) => name.startsWith('role.'));
    assert.ok(files.length < 8, files.join());
    const later = windowOn({ ...shared, memory: new LossyStorage().openWindow().memory });
    await later.store.save(connection);
    await later.store.load();
    assert.equal(later.store.get(connection.id)?.role, 'development');
  });

  test('stored with the connection by earlier versions holds until the next choice', async (context) => {
    const shared = await sharedStorage(context);
    const connection = connectionTo('https://datahub.example.com', { role: 'readOnly' });
    await shared.memory.update(`connection.${connection.id}`, connection);
    const { store } = windowOn(shared);
    await store.load();
    assert.equal(store.get(connection.id)?.role, 'readOnly');
    await store.save({ ...connection, role: 'development' });
    assert.equal(store.get(connection.id)?.role, 'development');
    // For versions without role files.
    assert.equal(shared.memory.get<Connection>(`connection.${connection.id}`)?.role, 'development');
  });
});

suite('A role file', () => {
  for (const [what, text] of Object.entries({
    'holds no JSON': '{"role":',
    'is empty': '',
    'holds no role': '{"color":"red"}',
    'holds a role of a later version': '{"role":"auditor"}',
  })) {
    test(`counts as read-only until the next choice if it ${what}`, async (context) => {
      const { shared, here, connection } = await twoWindows(context, 'development');
      await choose(here, connection, 'production');
      await writeFile(join(shared.path, `role.${connection.id}.3.json`), text);
      await here.store.reload();
      assert.equal(roleIn(here, connection), 'readOnly');
      await choose(here, connection, 'development');
      assert.equal(roleIn(here, connection), 'development');
    });
  }

  test('counts as read-only if it is a folder', async (context) => {
    const { shared, here, connection } = await twoWindows(context, 'development');
    await mkdir(join(shared.path, `role.${connection.id}.7.json`));
    await here.store.reload();
    assert.equal(roleIn(here, connection), 'readOnly');
  });

  test('of another connection, or with another name, is ignored', async (context) => {
    const { shared, here, connection } = await twoWindows(context, 'development');
    const names = [crypto.randomUUID(), `${crypto.randomUUID()}.9`, `${connection.id}.x`, `${connection.id}.09`];
    await Promise.all(names.map((name) => writeFile(join(shared.path, `role.${name}.json`), '{"role":"readOnly"}')));
    await here.store.reload();
    assert.equal(roleIn(here, connection), 'development');
  });
});

suite('A role that can’t be recorded', () => {
  test('is refused and leaves the connection unchanged', async (context) => {
    const { shared, here, connection } = await twoWindows(context, 'development');
    await rm(shared.path, { recursive: true });
    await writeFile(shared.path, 'no folder');
    const failure = await failureOf(choose(here, connection, 'production'));
    assert.equal(failure.kind, 'storage');
    assert.equal(roleIn(here, connection), 'development');
  });
});

suite('A change on a server', () => {
  test('follows the last choice of any window', async (context) => {
    const { here, there, connection, sent } = await twoWindows(context, 'development');
    const service = here.services.get(connection);
    await choose(there, connection, 'readOnly');
    assert.equal(roleIn(here, connection), 'development', 'this window has not heard of it');
    assert.equal(
      (await failureOf(service.tokens.revoke('some-id', { mayStillSend: mayStillSend(here, connection) }))).kind,
      'readOnly',
    );
    assert.deepEqual(sent, []);
    assert.equal(roleIn(here, connection), 'readOnly', 'and now it has');
    await choose(there, connection, 'development');
    await service.tokens.revoke('some-id', { mayStillSend: mayStillSend(here, connection) });
    assert.equal(sent.length, 1);
  });

  test('is not sent if roles can’t be read', async (context) => {
    const { shared, here, connection, sent } = await twoWindows(context, 'development');
    const service = here.services.get(connection);
    await rm(shared.path, { recursive: true });
    await writeFile(shared.path, 'no folder');
    const failure = await failureOf(service.tokens.revoke('some-id', { mayStillSend: mayStillSend(here, connection) }));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['storage', false]);
    assert.deepEqual(sent, []);
    await service.indices.listIndexSizes().catch(() => undefined);
    assert.ok(sent.length > 0, 'reading goes by no role');
  });
});

interface OpenWindow extends Window {
  readonly storage: LossyWindow;
}

interface TwoWindows {
  readonly shared: SharedStorage;
  readonly storages: LossyStorage;
  readonly here: OpenWindow;
  readonly there: OpenWindow;
  readonly connection: Connection;
  /** Addresses of the sent requests. */
  readonly sent: readonly string[];
}

/** Opens two windows on one machine, with one connection. */
async function twoWindows(context: TestContext, role: ConnectionRole): Promise<TwoWindows> {
  const shared = await sharedStorage(context);
  const storages = new LossyStorage();
  const sent: string[] = [];
  const network: NetworkAccess = {
    ...systemNetwork,
    fetch: (input) => {
      sent.push(String(input));
      return Promise.resolve(Response.json({ data: { revokeAccessToken: true } }));
    },
  };
  const [here, there] = [open(shared, storages, undefined, network), open(shared, storages, undefined, network)];
  const connection = connectionTo('https://datahub.example.com', { role });
  await here.store.save(connection);
  await saveSignedIn(here, connection, CREDENTIAL);
  here.storage.flush();
  await Promise.all([here.store.load(), there.store.load()]);
  await Promise.all([here.store.reload(), there.store.reload()]);
  return { shared, storages, here, there, connection: here.store.get(connection.id) ?? assert.fail(), sent };
}

function open(
  shared: SharedStorage,
  storages: LossyStorage,
  clock?: SteppedClock,
  network?: NetworkAccess,
): OpenWindow {
  const storage = storages.openWindow();
  return { ...windowOn({ ...shared, memory: storage.memory }, network, clock), storage };
}

/** Chooses a role as Set Connection Role does, knowing what the window knows. */
function choose({ store }: Window, { id }: Connection, role: ConnectionRole): Promise<void> {
  return store.save({ ...(store.get(id) ?? assert.fail()), role });
}

function roleIn({ store }: Window, { id }: Connection): ConnectionRole | undefined {
  return store.get(id)?.role;
}
