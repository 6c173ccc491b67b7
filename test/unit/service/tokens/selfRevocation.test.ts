/** Revoking the token that the request carries: release 0.14.0 does it, and answers 401. */
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { MetadataService } from '../../../../src/service/service.ts';
import { ALWAYS, CREDENTIAL, ME, failureOf, serviceAt } from '../clients.ts';
import { reply, wireServer } from '../wireServer.ts';

const EMPTY_LIST = { data: { listAccessTokens: { start: 0, count: 1, total: 0, tokens: [] } } };

/** As recorded, from 0.14.0 and 1.6.0.16rc6. */
const OF_THE_SERVICE: Readonly<Record<string, string>> = {
  "Jetty's JSON":
    '{\n"servlet":"dispatcher-graphql",\n"message":"Unauthorized to perform this action.",\n"url":"/api/graphql",\n"status":"401"\n}',
  "Jetty's page": `<html>
<head>
<meta http-equiv="Content-Type" content="text/html;charset=ISO-8859-1"/>
<title>Error 401 Unauthorized to perform this action.</title>
</head>
<body><h2>HTTP ERROR 401 Unauthorized to perform this action.</h2>
<table>
<tr><th>URI:</th><td>/api/graphql</td></tr>
<tr><th>STATUS:</th><td>401</td></tr>
<tr><th>MESSAGE:</th><td>Unauthorized to perform this action.</td></tr>
<tr><th>SERVLET:</th><td>dispatcher-graphql</td></tr>
</table>
<hr/><a href="https://eclipse.org/jetty">Powered by Jetty:// 11.0.21</a><hr/>

</body>
</html>
`,
  "Spring's JSON": '{"timestamp":1795699074664,"status":401,"error":"Unauthorized","path":"/api/graphql"}',
};
const OF_A_GATEWAY: Readonly<Record<string, string>> = {
  'an identity-aware proxy': 'Invalid IAP credentials: Unable to parse JWT',
  nginx: '<html><head><title>401 Authorization Required</title></head><body><hr><center>nginx</center></body></html>',
  'Spring Cloud Gateway':
    '{"timestamp":1795699074664,"path":"/api/graphql","status":401,"error":"Unauthorized","requestId":"1a2b-3"}',
  Kong: '{"message":"Unauthorized"}',
  'a web front end without its own authentication': '',
};

/** A service that lists tokens, and answers revocations with 401. */
async function refusing(context: TestContext, text: string, token = CREDENTIAL): Promise<MetadataService> {
  const server = await wireServer(context, ({ body }, response) =>
    body.includes('mutation') ? reply(response, 401, text) : reply(response, 200, EMPTY_LIST),
  );
  return serviceAt(server.url, { readSecrets: () => Promise.resolve({ token }) });
}

const list = ({ tokens }: MetadataService): Promise<unknown> =>
  tokens.list({ scope: { kind: 'owned', ownerUrn: ME }, filters: [], start: 0, count: 1 });
const revokeOwn = ({ tokens }: MetadataService) =>
  tokens.revoke('own', { mayStillSend: ALWAYS, credential: 'accepted' });

suite('Revoking the token that the request carries, answered with 401', () => {
  for (const [what, text] of Object.entries(OF_THE_SERVICE)) {
    test(`has revoked it if the service says so itself, as ${what}`, async (context) => {
      const service = await refusing(context, text);
      await list(service);
      assert.equal(await revokeOwn(service), 'signedOut');
    });
  }

  test('proves nothing if no request was accepted before, or the last one was refused as well', async (context) => {
    const service = await refusing(context, OF_THE_SERVICE["Jetty's JSON"] ?? '');
    const { kind, mayHaveActed } = await failureOf(revokeOwn(service));
    assert.deepEqual([kind, mayHaveActed], ['signedOut', true]);
    await list(service);
    await revokeOwn(service);
    assert.equal((await failureOf(revokeOwn(service))).mayHaveActed, true);
  });

  for (const [what, text] of Object.entries(OF_A_GATEWAY)) {
    test(`may have revoked it if ${what} says so`, async (context) => {
      const service = await refusing(context, text);
      await list(service);
      const failure = await failureOf(revokeOwn(service));
      assert.deepEqual([failure.kind, failure.mayHaveActed, failure.credentialEnded], ['signedOut', true, false]);
    });
  }

  test('has revoked no other token', async (context) => {
    const service = await refusing(context, OF_THE_SERVICE["Spring's JSON"] ?? '');
    await list(service);
    const failure = await failureOf(service.tokens.revoke('of somebody else', { mayStillSend: ALWAYS }));
    assert.deepEqual([failure.kind, failure.mayHaveActed, failure.credentialEnded], ['signedOut', false, true]);
  });
});

test('A credential counts as accepted by what needs one, not by what a server gives to anyone', async (context) => {
  const server = await wireServer(context, ({ method }, response) =>
    method === 'GET' ? reply(response, 200, {}) : reply(response, 401, OF_THE_SERVICE["Jetty's JSON"] ?? ''),
  );
  const service = serviceAt(server.url);
  await service.server.refresh();
  assert.equal((await failureOf(list(service))).credentialEnded, false);
});

test('A credential that says that it has expired was not revoked by the request', async (context) => {
  const expired = `${btoa('{"alg":"HS256"}')}.${btoa('{"exp":1}')}.c2ln`.replaceAll('=', '');
  const service = await refusing(context, OF_THE_SERVICE["Jetty's JSON"] ?? '', expired);
  await list(service);
  assert.equal((await failureOf(revokeOwn(service))).credentialEnded, false);
});
