import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { systemNetwork, type NetworkAccess } from '../../../src/service/http/network.ts';
import type { AccessToken } from '../../../src/service/tokens/accessToken.ts';
import type { CredentialMatches } from '../../../src/tokens/credentialToken.ts';
import { HeldTokens } from '../../../src/tokens/heldTokens.ts';
import type { TokenLists } from '../../../src/tokens/tokenLists.ts';
import { OWN_TOKENS } from '../../../src/tokens/tokenFilters.ts';
import { addConnection, connectionTo, openWindow, sharedStorage } from '../connections/window.ts';
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

type Fate = 'revoked' | 'revoked, and the answer is lost' | 'lost before the server' | 'rejected with 401';

interface Server {
  readonly fates: Readonly<Record<string, Fate>>;
  readonly sent: string[];
  listings: number;
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

type Outcome = Awaited<ReturnType<typeof revocation.revokeAll>>;

interface Scene {
  readonly server: Server;
  readonly revoke: (...tokens: readonly AccessToken[]) => Promise<Outcome>;
}

async function scene(
  context: TestContext,
  fates: Server['fates'],
  {
    matches = new Map(),
    listed = [A, B, C],
    isCancelled = false,
  }: {
    matches?: CredentialMatches;
    listed?: readonly AccessToken[];
    /** After the first was sent. */
    isCancelled?: boolean;
  } = {},
): Promise<Scene> {
  const server: Server = { fates, sent: [], listings: 0, isDown: false, left: [A, B, C] };
  const shared = await sharedStorage(context);
  const window = await openWindow(shared, networkOf(server));
  const connection = await addConnection(window, connectionTo('https://datahub.example.com'), CREDENTIAL);
  await shared.memory.update(`capabilities.${connection.id}`, KNOWN_FACTS);
  const list = {
    query: OWN_TOKENS,
    wasEverListed: (id: string) => listed.some((one) => one.id === id),
    hideRevoking: () => undefined,
    showUnrevoked: () => undefined,
  };
  const tokenLists = { get: () => list } as unknown as TokenLists;
  const parts = { ...window, tokenLists, held: new HeldTokens() };
  const stop = new AbortController();
  const onSent = (): void => (isCancelled ? stop.abort() : undefined);
  return {
    server,
    revoke: (...tokens) => revocation.revokeAll(parts, connection, tokens, matches, stop.signal, onSent),
  };
}

function outcomeOf({ revoked, failed }: Outcome): readonly unknown[] {
  return [revoked.map(({ id }) => id), failed.map(({ token, failure }) => [token.id, failure.mayHaveActed])];
}

suite('A revocation whose answer is lost', () => {
  test('is looked up, and never sent again', async (context) => {
    const fates = { a: 'revoked, and the answer is lost', b: 'lost before the server' } as const;
    const { server, revoke } = await scene(context, fates);
    assert.deepEqual(outcomeOf(await revoke(A, B)), [['a'], [['b', true]]]);
    assert.deepEqual(server.sent, ['a', 'b']);
  });

  test('is not looked up once the user cancels, nor is the rest sent', async (context) => {
    const fates = { a: 'revoked, and the answer is lost' } as const;
    const { server, revoke } = await scene(context, fates, { isCancelled: true });
    assert.deepEqual(outcomeOf(await revoke(A, B)), [[], [['a', true]]]);
    assert.deepEqual([server.sent, server.listings], [['a'], 0]);
  });

  test('stays unknown if the token was never listed, or the server does not list', async (context) => {
    const fates = { a: 'lost before the server', b: 'revoked, and the answer is lost' } as const;
    const { server, revoke } = await scene(context, fates, { listed: [B] });
    // As a listing that lags.
    server.left = [B, C];
    assert.deepEqual([outcomeOf(await revoke(A)), server.listings], [[[], [['a', true]]], 0]);
    server.isDown = true;
    assert.deepEqual(outcomeOf(await revoke(B)), [[], [['b', true]]]);
  });
});

suite('Revoking the token that the connection signs in with', () => {
  const own: CredentialMatches = new Map([['a', 'yes']]);

  test('comes last, since its end refuses the others', async (context) => {
    const { server, revoke } = await scene(context, {}, { matches: own });
    assert.equal((await revoke(A, B, C)).isSignedOut, true);
    assert.deepEqual(server.sent, ['b', 'c', 'a']);
  });

  test('has worked if the service itself answers 401 right after it took the credential', async (context) => {
    const { revoke } = await scene(context, { a: 'rejected with 401' }, { matches: own });
    const outcome = await revoke(A);
    assert.deepEqual([outcomeOf(outcome), outcome.isSignedOut], [[['a'], []], true]);
  });

  test('is unknown after a 401 if the look before was not answered', async (context) => {
    const { server, revoke } = await scene(context, { a: 'rejected with 401' }, { matches: own });
    server.isDown = true;
    assert.deepEqual(outcomeOf(await revoke(A)), [[], [['a', true]]]);
  });

  test('is unknown after a 401 if another one, which was revoked before, may have been it', async (context) => {
    const matches: CredentialMatches = new Map([
      ['a', 'maybe'],
      ['b', 'maybe'],
    ]);
    const { revoke } = await scene(context, { b: 'rejected with 401' }, { matches });
    assert.deepEqual(outcomeOf(await revoke(A, B)), [['a'], [['b', true]]]);
  });
});
