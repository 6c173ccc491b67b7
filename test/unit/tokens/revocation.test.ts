import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { systemNetwork, type NetworkAccess } from '../../../src/service/http/network.ts';
import type { AccessToken } from '../../../src/service/tokens/accessToken.ts';
import type { CredentialMatches } from '../../../src/tokens/credentialToken.ts';
import type { Revocations } from '../../../src/tokens/revocation.ts';
import type { TokenLists } from '../../../src/tokens/tokenLists.ts';
import { OWN_TOKENS } from '../../../src/tokens/tokenQuery.ts';
import { addConnection, connectionTo, openWindow, sharedStorage, type Window } from '../connections/window.ts';
import { CREDENTIAL, KNOWN_FACTS, ME } from '../service/clients.ts';
import '../ui/window.ts';

const revocation = await import('../../../src/tokens/revocation.ts');

const [A, B, C] = ['a', 'b', 'c'].map((id) => ({
  urn: `urn:li:dataHubAccessToken:${id}`,
  id,
  actorUrn: ME,
  ownerUrn: ME,
  name: id,
})) as [AccessToken, AccessToken, AccessToken];

const ANSWERED = { data: { revokeAccessToken: true } };
/** As a service says it, not something in front of it. */
const REJECTED = { timestamp: 1_795_699_074_664, status: 401, error: 'Unauthorized', path: '/api/graphql' };

/** What the server does with a revocation. */
type Fate = 'revoked' | 'revoked, and the answer is lost' | 'lost before the server' | 'rejected with 401';

interface Server {
  readonly fates: Readonly<Record<string, Fate>>;
  /** IDs of revocations that arrived. */
  readonly sent: string[];
  /** Number of listings that arrived. */
  listings: number;
  /** True if it doesn't list. */
  isDown: boolean;
  left: readonly AccessToken[];
}

function networkOf(server: Server): NetworkAccess {
  return {
    ...systemNetwork,
    fetch: async (_, init) => {
      const body = await new Response(init?.body).text();
      const { tokenId, start } = (JSON.parse(body) as { variables: { tokenId?: string; start?: number } }).variables;
      if (tokenId === undefined) {
        server.listings++;
        const tokens = start === 0 ? server.left : [];
        return server.isDown
          ? new Response('', { status: 500 })
          : Response.json({ data: { listAccessTokens: { start, count: 100, total: tokens.length, tokens } } });
      }
      server.sent.push(tokenId);
      const fate = server.fates[tokenId] ?? 'revoked';
      if (fate.startsWith('revoked')) server.left = server.left.filter(({ id }) => id !== tokenId);
      if (fate.includes('lost')) throw new TypeError('fetch failed');
      return fate === 'rejected with 401' ? Response.json(REJECTED, { status: 401 }) : Response.json(ANSWERED);
    },
  };
}

interface Scene {
  readonly server: Server;
  readonly revocations: Revocations;
  readonly window: Window;
  readonly connection: Connection;
}

async function scene(
  context: TestContext,
  fates: Server['fates'],
  { matches = new Map(), listed = [A, B, C] }: { matches?: CredentialMatches; listed?: readonly AccessToken[] } = {},
): Promise<Scene> {
  const server: Server = { fates, sent: [], listings: 0, isDown: false, left: [A, B, C] };
  const shared = await sharedStorage(context);
  const window = await openWindow(shared, networkOf(server));
  const connection = await addConnection(window, connectionTo('https://datahub.example.com'), CREDENTIAL);
  await shared.memory.update(`capabilities.${connection.id}`, KNOWN_FACTS);
  const list = { query: OWN_TOKENS, wasEverListed: (id: string) => listed.some((one) => one.id === id) };
  const tokenLists = { get: () => list } as unknown as TokenLists;
  const revocations = new revocation.Revocations({ ...window, tokenLists }, connection, matches);
  return { server, revocations, window, connection };
}

function outcomeOf({ revoked, failed }: Revocations): readonly unknown[] {
  return [revoked.map(({ id }) => id), failed.map(({ token, failure }) => [token.id, failure.mayHaveActed])];
}

suite('A revocation whose answer is lost', () => {
  test('is looked up, and never sent again', async (context) => {
    const fates = { a: 'revoked, and the answer is lost', b: 'lost before the server' } as const;
    const { server, revocations } = await scene(context, fates);
    await revocations.send([A, B]);
    assert.deepEqual(outcomeOf(revocations), [
      [],
      [
        ['a', true],
        ['b', true],
      ],
    ]);
    await revocations.findGone();
    assert.deepEqual(outcomeOf(revocations), [['a'], [['b', true]]]);
    assert.deepEqual(server.sent, ['a', 'b']);
  });

  test('stays unknown if the token was never listed, or the server does not list', async (context) => {
    const fates = { a: 'lost before the server', b: 'revoked, and the answer is lost' } as const;
    const { server, revocations } = await scene(context, fates, { listed: [B] });
    // As a listing that lags.
    server.left = [B, C];
    await revocations.send([A]);
    await revocations.findGone();
    assert.deepEqual([outcomeOf(revocations), server.listings], [[[], [['a', true]]], 0]);
    await revocations.send([B]);
    server.isDown = true;
    await revocations.findGone();
    assert.deepEqual(outcomeOf(revocations)[0], []);
  });
});

suite('Revoking the token that the connection signs in with', () => {
  test('comes last, since its end refuses the others', async (context) => {
    const { server, revocations } = await scene(context, {}, { matches: new Map([['a', 'yes']]) });
    await revocations.send([A, B, C]);
    assert.deepEqual([server.sent, await revocations.isSignedOut()], [['b', 'c', 'a'], true]);
  });

  test('has worked if the service itself answers 401 right after it took the credential', async (context) => {
    const { revocations } = await scene(context, { a: 'rejected with 401' }, { matches: new Map([['a', 'yes']]) });
    await revocations.send([A]);
    assert.deepEqual([outcomeOf(revocations), await revocations.isSignedOut()], [[['a'], []], true]);
  });

  test('is unknown after a 401 if the look before was not answered', async (context) => {
    const matches = new Map([['a', 'yes']] as const);
    const { server, revocations } = await scene(context, { a: 'rejected with 401' }, { matches });
    server.isDown = true;
    await revocations.send([A]);
    assert.deepEqual(outcomeOf(revocations), [[], [['a', true]]]);
  });

  test('is unknown after a 401 if another one, which was revoked before, may have been it', async (context) => {
    const matches = new Map([
      ['a', 'maybe'],
      ['b', 'maybe'],
    ] as const);
    const { revocations } = await scene(context, { b: 'rejected with 401' }, { matches });
    await revocations.send([A, B]);
    assert.deepEqual(outcomeOf(revocations), [['a'], [['b', true]]]);
  });
});
