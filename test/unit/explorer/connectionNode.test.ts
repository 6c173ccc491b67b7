import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { ConnectionNodeParts } from '../../../src/explorer/connectionNode.ts';
import type { MetadataService } from '../../../src/service/service.ts';
import type { CallerRights } from '../../../src/service/server/callerRights.ts';
import { MILLIS_PER_DAY, systemClock } from '../../../src/time.ts';
import { TaskWatch } from '../../../src/truncation/watching/watch.ts';
import { connectionTo, sharedStorage, windowOn } from '../connections/window.ts';
import { ME } from '../service/clients.ts';
import '../ui/window.ts';

const { ConnectionNode } = await import('../../../src/explorer/connectionNode.ts');

const NO_LISTS = { get: () => ({ isLoaded: false, wasAsked: false }) };
const RIGHTS: CallerRights = { truncate: true, readSizes: true, watchTasks: true, manageServiceAccounts: false };

interface Shown {
  readonly row: InstanceType<typeof ConnectionNode>;
  readonly service: MetadataService;
}

/** The row of a connection whose token ends in a day, with what its server said about the user. */
async function rowOf(context: TestContext, mayGenerateTokens: boolean, rights: CallerRights): Promise<Shown> {
  const { jobs, services, store } = windowOn(await sharedStorage(context));
  const watch = new TaskWatch(jobs, services, store, systemClock);
  context.after(() => watch.dispose());
  const now = Date.now();
  const [storedAt, endsAt] = [now - 30 * MILLIS_PER_DAY, now + MILLIS_PER_DAY];
  const signIn = { origin: 'https://a.example.com', storedAt, endsAt, tokenId: 'mine' };
  const connection = connectionTo('https://a.example.com', { signIn });
  const service = services.get(connection);
  const identity = { actorUrn: ME, mayGenerateTokens };
  service.server.learn({ caller: { identity, version: undefined, tokensEnabled: true }, rights });
  const lists = { tokenLists: NO_LISTS, indexLists: NO_LISTS };
  const parts = { jobs, services, store, watch, ...lists } as unknown as ConnectionNodeParts;
  return { row: new ConnectionNode(connection, parts), service };
}

for (const [mayGenerateTokens, advice] of [
  [true, /"Rotate Connection's Access Token" replaces it/],
  [false, /Sign in with another one before then/],
] as const) {
  test(`A connection advises a rotation only to who ${mayGenerateTokens ? 'may' : "can't"} create tokens`, async (context) => {
    const { row } = await rowOf(context, mayGenerateTokens, RIGHTS);
    assert.match(row.tooltip().markdown.value.replaceAll('&nbsp;', ' ').replaceAll('\\', ''), advice);
  });
}

for (const [what, mayGenerateTokens, rights, isForgotten] of [
  ['holds the rights', true, RIGHTS, false],
  ["can't create tokens", false, RIGHTS, true],
  ["can't truncate", true, { ...RIGHTS, truncate: false }, true],
] as const) {
  test(`A refresh ${isForgotten ? 'asks again' : "doesn't ask again"} what a user may do who ${what}`, async (context) => {
    const { row, service } = await rowOf(context, mayGenerateTokens, rights);
    await row.refresh();
    assert.equal(service.server.known.rights === undefined, isForgotten);
  });
}
