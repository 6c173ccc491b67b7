import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { shownInputs } from '../ui/window.ts';

const { forConnection } = await import('../../../src/connections/forConnection.ts');

const connectionNamed = (name: string) => ({ id: name, name, baseUrl: 'https://datahub.example.com' });
const [FIT, ALSO, UNFIT] = ['Fit', 'Also', 'Unfit'].map(connectionNamed);

test('A command lists only the connections that it can work for, and says whose it is', async () => {
  const ran: unknown[] = [];
  const store = {
    load: () => Promise.resolve(),
    all: () => [UNFIT, FIT, ALSO],
    get: () => undefined,
    inUse: () => UNFIT,
  } as unknown as Parameters<typeof forConnection>[0];
  const handler = forConnection(
    store,
    'Create',
    ({ name }, title) => void ran.push(name, title),
    ({ name }) => name !== 'Unfit',
  );
  const done = handler(undefined, undefined, ({ name }) => void ran.push(`concerns ${name}`));
  await setImmediate();
  const pick = (await shownInputs()).at(-1) ?? assert.fail();
  assert.deepEqual(
    pick.items.map(({ label }) => label),
    ['Fit', 'Also'],
  );
  pick.selectedItems = pick.items.slice(0, 1);
  pick.fire('accept');
  await done;
  assert.deepEqual(ran, ['concerns Fit', 'Fit', 'Create: Fit']);
});
