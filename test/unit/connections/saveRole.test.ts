import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Role } from '../../../src/connections/role.ts';
import { saveRole } from '../../../src/connections/saveRole.ts';
import { connectionTo, sharedStorage, windowOn } from './window.ts';

interface Outcome {
  readonly text: string;
  readonly isAsChosen: boolean;
  readonly stored: Role | undefined;
}

/** @param elsewhere What another window chooses after the user was asked, and before the answer is saved. */
async function chosen(context: TestContext, read: Role, mine: Role, elsewhere?: Role): Promise<Outcome> {
  const shared = await sharedStorage(context);
  const [here, there] = [windowOn(shared), windowOn(shared)];
  const connection = connectionTo('https://datahub.example.com', { name: 'Main', role: read });
  await here.store.save(connection);
  await Promise.all([here.store.load(), there.store.load()]);
  if (elsewhere !== undefined) {
    await there.store.save({ ...connection, role: elsewhere }, connection);
  }
  const outcome = await saveRole(here.store, connection, mine, read);
  context.after(() => [here, there].forEach(({ store }) => store.dispose()));
  return { ...outcome, stored: here.store.get(connection.id)?.role };
}

suite('What is said of a role that was chosen', () => {
  for (const [read, mine] of [
    ['development', 'production'],
    ['readOnly', 'development'],
    ['production', 'production'],
  ] as const) {
    test(`${mine} after ${read}: that it changed`, async (context) => {
      assert.deepEqual(await chosen(context, read, mine), {
        isAsChosen: true,
        text: 'Role of "Main" changed',
        stored: mine,
      });
    });
  }

  for (const [read, mine, elsewhere, name] of [
    ['development', 'production', 'readOnly', 'Read-only'],
    ['readOnly', 'development', 'production', 'Production'],
  ] as const) {
    test(`${mine} after ${read}, while another window chose ${elsewhere}: which one holds`, async (context) => {
      assert.deepEqual(await chosen(context, read, mine, elsewhere), {
        isAsChosen: false,
        text: `Another window changed the role of "Main" meanwhile. It is now ${name}.`,
        stored: elsewhere,
      });
    });
  }
});
