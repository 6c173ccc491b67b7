/** Names and descriptions from servers, and names that the user types, with an access token in them. */
import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { nameProblem as connectionNameProblem, userProblem } from '../../../../src/connections/connectionDraft.ts';
import { parseConnection } from '../../../../src/connections/connection.ts';
import { rememberSecret } from '../../../../src/service/failure/secret.ts';
import { candidateAddresses } from '../../../../src/service/http/candidateAddresses.ts';
import { parseIndexRow } from '../../../../src/service/indices/indexSize.ts';
import { askServerIdentity } from '../../../../src/service/server/serverInfo.ts';
import { parseTokenRow } from '../../../../src/service/tokens/accessToken.ts';
import { checkTypedActor, checkFilteredActor, shortActorName } from '../../../../src/service/server/identifiers.ts';
import { indexNameProblem } from '../../../../src/indices/indexName.ts';
import { tokenDescriptionProblem, tokenNameProblem } from '../../../../src/tokens/tokenTexts.ts';
import { CREDENTIAL, transportAt } from '../clients.ts';
import { reply, wireServer } from '../wireServer.ts';

const TOKEN = 'hQ7sLw2VbN4xZc9KpT6yRm3JdF8gAe5U';
/** A token that the extension does not know. */
const PASTED = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJlLXNpZ25hdHVyZQ';

suite('A token in a listing', () => {
  beforeEach(() => rememberSecret(TOKEN));

  for (const [what, token] of Object.entries({ known: TOKEN, 'of a known shape': PASTED })) {
    test(`is in no name and no description: ${what}`, () => {
      const row = { urn: `urn:${token}`, id: token, actorUrn: 'urn:li:corpuser:x', name: `n ${token}` };
      const [listed] = parseTokenRow({ ...row, description: `d ${token}` }, false);
      assert.equal(listed?.name, 'n <redacted>');
      assert.equal(listed.description, 'd <redacted>');
      // Sent back later, so it must stay unchanged.
      assert.equal(listed.id, token);
      assert.equal(listed.urn, `urn:${token}`);
    });

    test(`is in no index: ${what}`, () => {
      const row = { indexName: `x ${token}`, entityName: 'dataset', aspectName: token, sizeInMb: 3 };
      const [index] = parseIndexRow(row);
      assert.equal(index?.indexName, 'x <redacted>');
      assert.equal(index.entityType, 'dataset');
      assert.equal(index.aspect, undefined);
    });
  }

  test('is in no version, because that is stored', async (context) => {
    const server = await wireServer(context, (_, response) =>
      reply(response, 200, { noCode: 'true', versions: { 'acryldata/datahub': { version: TOKEN } } }),
    );
    assert.equal((await askServerIdentity(transportAt(server.url))).version, undefined);
  });

  test('is distinguished from a name with the same beginning, and from a mention of tokens', () => {
    for (const name of ['sk-production-ingestion-bot', 'deploy-token: staging-2', 'eyJohnson', 'password: rotation']) {
      assert.equal(parseTokenRow({ id: 'x', name }, false)[0]?.name, name);
    }
  });
});

suite('A token that is pasted into a name field', () => {
  beforeEach(() => [TOKEN, CREDENTIAL].forEach(rememberSecret));

  for (const token of [TOKEN, PASTED, CREDENTIAL, ` ${PASTED} `, `urn:li:corpuser:${PASTED}`]) {
    test(`is refused at the field: ${token.slice(0, 20)}`, () => {
      const says = /access token/;
      const problems = [checkTypedActor(token), checkFilteredActor(token), candidateAddresses(token)];
      for (const found of problems) {
        assert.match('problem' in found ? found.problem : '', says);
      }
      assert.match(userProblem(token) ?? '', /only where you're asked for one/);
      assert.match(connectionNameProblem(token, []) ?? '', /access token|At most 100/);
      assert.match(tokenNameProblem(token) ?? '', says);
      assert.match(tokenDescriptionProblem(`see ${token}`) ?? '', says);
      assert.match(connectionNameProblem(TOKEN, []) ?? '', says);
      assert.notEqual(indexNameProblem(token), undefined);
    });
  }

  test('is refused as the name of an index, although its letters would be allowed there', () => {
    for (const token of [TOKEN, PASTED]) {
      assert.match(indexNameProblem(token) ?? '', /Enter access tokens only where you're asked for one/);
    }
    assert.match(indexNameProblem('a'.repeat(256)) ?? '', /At most 255 characters/);
    assert.equal(indexNameProblem('a'.repeat(255)), undefined);
  });

  test('is found quickly in any pasted text', () => {
    const log = '0123456789abcdef'.repeat(300_000);
    const before = process.cpuUsage().user;
    assert.ok('problem' in candidateAddresses(`host/${log}`));
    assert.ok('problem' in checkTypedActor(log));
    for (const problem of [
      userProblem(log),
      connectionNameProblem(log, []),
      tokenNameProblem(log),
      tokenDescriptionProblem(log),
      indexNameProblem(`a${log}`),
    ]) {
      assert.notEqual(problem, undefined);
    }
    const seconds = (process.cpuUsage().user - before) / 1_000_000;
    assert.ok(seconds < 3, `${seconds} s`);
    // More than any field accepts: the rest is not searched.
    assert.doesNotMatch(tokenDescriptionProblem(`${'a '.repeat(10_000)}${PASTED}`) ?? '', /access token/);
  });

  test('is distinguished from names with the same beginning', () => {
    for (const name of ['eyJohnson', 'sk-production-ingestion-bot', 'npm_publisher_of_the_team', 'jdoe']) {
      assert.deepEqual(checkTypedActor(name), { actorUrn: `urn:li:corpuser:${name}` });
      assert.equal(userProblem(name), undefined);
      assert.equal(connectionNameProblem(name, []), undefined);
      assert.equal(tokenNameProblem(name), undefined);
      assert.equal(tokenDescriptionProblem(name), undefined);
    }
  });

  test('loads connections that were stored with one', () => {
    const actorUrn = `urn:li:corpuser:${PASTED}`;
    const stored = { name: 'x', baseUrl: 'https://x', typedUser: actorUrn, createdAt: 1 };
    assert.equal(parseConnection(stored)?.typedUser, actorUrn);
    assert.equal(shortActorName(actorUrn), PASTED);
  });
});
