import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ServiceFailure, type FailureKind } from '../../../../src/service/failure/failure.ts';
import { withComplaints } from '../../../../src/service/failure/graphqlFailure.ts';
import { rememberSecret } from '../../../../src/service/failure/secret.ts';
import type { MetadataService } from '../../../../src/service/service.ts';
import {
  explainCreationRefusal,
  type CreatedAccessToken,
  type TokenCreationRequest,
} from '../../../../src/service/tokens/tokenCreation.ts';
import { NEW } from '../changes.ts';
import { ALWAYS, CREDENTIAL, failureOf, ME, typeAnswer } from '../clients.ts';
import { answering, invalid, refusal } from '../tokenServer.ts';

const ROBOT: TokenCreationRequest = { ...NEW, type: 'SERVICE_ACCOUNT' };
/** Too short to be remembered, so that each test can have it answered. */
const TOKEN = 'new-tkn';
const answerWith = (accessToken: unknown, metadata: unknown = { id: 'new-id' }): object => ({
  data: { createAccessToken: { accessToken, metadata } },
});

const create = ({ tokens }: MetadataService, change: Partial<TokenCreationRequest> = {}): Promise<CreatedAccessToken> =>
  tokens.create({ ...NEW, ...change }, true, { mayStillSend: ALWAYS });

suite('Creating a token', () => {
  test('sends a week, a service account and an empty description', async (context) => {
    const { service, sent } = await answering(context, [answerWith(TOKEN)]);
    await create(service, { type: 'SERVICE_ACCOUNT', duration: 'ONE_WEEK', description: '' });
    const input = { type: 'SERVICE_ACCOUNT', actorUrn: ME, duration: 'ONE_WEEK', name: NEW.name, description: '' };
    assert.deepEqual(sent()[0]?.variables, { input });
  });

  for (const [what, answer] of [
    ['the token that the request carried', answerWith(CREDENTIAL)],
    ['the ID of a token from before', answerWith('another-new-token', { id: 'id-from-before' })],
  ] as const) {
    test(`has an unknown outcome if the answer is from before: ${what}`, async (context) => {
      const { service, server } = await answering(context, [answer]);
      const isKnownId = (id: string): boolean => id === 'id-from-before';
      const failure = await failureOf(service.tokens.create(NEW, true, { mayStillSend: ALWAYS, isKnownId }));
      assert.deepEqual([failure.kind, failure.mayHaveActed], ['unexpectedAnswer', true]);
      assert.match(failure.message, /returned an existing access token/);
      assert.equal(server.requests.length, 1);
    });
  }

  test('succeeds although the server omits the metadata, or adds white space', async (context) => {
    for (const metadata of [null, undefined, 7, {}, { id: '' }]) {
      const data = { createAccessToken: { accessToken: `${TOKEN}\n`, metadata } };
      const errors = [{ message: 'no metadata', path: ['createAccessToken', 'metadata'] }];
      const { service } = await answering(context, [{ data, errors }]);
      const created = await create(service);
      assert.deepEqual([created.secret.reveal(), created.id, created.name], [TOKEN, '', 'my personal token']);
    }
  });

  // After a line break in it, the rest would run in the terminal where it is pasted.
  for (const accessToken of ['', ' \n', 'new\nrm -r ~\n', 'new token', 'new\u202Etoken', 7]) {
    test(`with ${JSON.stringify(accessToken)} as its string may have succeeded, and says so`, async (context) => {
      const { service } = await answering(context, [answerWith(accessToken)]);
      const failure = await failureOf(create(service));
      assert.deepEqual([failure.kind, failure.mayHaveActed], ['unexpectedAnswer', true]);
    });
  }

  const refused = { message: 'no', path: ['createAccessToken'], extensions: { code: 403 } };
  for (const [what, errors] of [
    ['a part of its fields', [{ ...refused, path: ['createAccessToken', 'metadata'] }]],
    ['it in two ways', [refused, { ...refused, extensions: { code: 500 } }]],
  ] as const) {
    test(`may have succeeded if the server refuses ${what}, and says so`, async (context) => {
      const { service } = await answering(context, [{ errors, data: { createAccessToken: null } }]);
      const failure = await failureOf(create(service));
      assert.deepEqual([failure.kind, failure.mayHaveActed], ['refused', true]);
    });
  }

  for (const [whom, type, isSelf, privilege] of [
    ['another user', 'PERSONAL', false, 'Manage All Access Tokens'],
    ['a service account', 'SERVICE_ACCOUNT', true, 'Manage Service Accounts'],
  ] as const) {
    test(`for ${whom} names the privilege that is missing`, async (context) => {
      const { service } = await answering(context, [refusal(403)]);
      const work = service.tokens.create({ ...NEW, type }, isSelf, { mayStillSend: ALWAYS });
      assert.equal((await failureOf(work)).privilege, privilege);
    });
  }

  for (const [what, accessToken, id] of [
    ['the token', 'opaque-token-without-a-shape', 'x-opaque-token-without-a-shape'],
    ['a short token', 'opaque', 'x-opaque'],
    ['another token', 'another-token-without-a-shape', `x-${CREDENTIAL}`],
  ] as const) {
    test(`with a response that repeats ${what} in its ID has no ID`, async (context) => {
      rememberSecret(CREDENTIAL);
      const { service } = await answering(context, [answerWith(accessToken, { id })]);
      assert.equal((await create(service)).id, '');
    });
  }

  test('is not repeated if it does not fit the schema, but learns what to send next time', async (context) => {
    const unknown = invalid("Validation error (UnknownType) : Unknown type 'CreateAccessTokenInput'");
    const { service, server } = await answering(context, [unknown, { data: {} }, unknown]);
    const failure = await failureOf(create(service));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['invalidDocument', false]);
    assert.match(failure.next ?? '', /^Nothing was created\..*try again\.$/);
    assert.equal(server.requests.length, 1);
    assert.equal((await service.server.fact('creation')).inputType, 'GetAccessTokenInput');
  });

  test('rereads the schema if that is from before, and otherwise suggests a connection test', async (context) => {
    const type = typeAnswer('inputFields', ['name', 'description']);
    const { service, sent } = await answering(context, [invalid('No.'), type, invalid('No.')]);
    assert.match((await failureOf(create(service))).next ?? '', /^Nothing was created\./);
    assert.match((await failureOf(create(service))).next ?? '', /^Test the connection/);
    assert.equal(sent().length, 3);
  });
});

suite('A refused creation', () => {
  const NOT_ALLOWED = 'Access token duration ONE_DAY is not allowed.';
  const NO_ROBOT = 'The specified URN is not a service account: urn:li:corpuser:x';
  const FACTS = { operation: 'createAccessToken', status: 200, mayHaveActed: true };
  const failed = (kind: FailureKind, next?: string): ServiceFailure =>
    new ServiceFailure(kind, 'As it was told.', { ...FACTS, next });

  for (const [kind, request, texts, message, next] of [
    ['badRequest', NEW, ['One of two.', NOT_ALLOWED], /duration/, /^Choose another duration\.$/],
    ['server', NEW, [NOT_ALLOWED], /duration/, /^Choose another duration\.$/],
    ['invalidDocument', NEW, [NOT_ALLOWED], /duration/, /^Choose another duration\.$/],
    ['server', ROBOT, [NO_ROBOT], /^This service account doesn't exist/, /^Select another service account\.$/],
    [
      'server',
      ROBOT,
      ['FAILED TO VALIDATE SERVICE ACCOUNT'],
      /^This service account/,
      /^Select another service account\.$/,
    ],
  ] as const) {
    test(`says that nothing was created, and why: ${kind}, ${texts.join(' ').slice(0, 70)}`, () => {
      const failure = explainCreationRefusal(withComplaints(failed(kind), texts), request);
      const { operation, status, mayHaveActed } = failure;
      assert.deepEqual({ operation, status, mayHaveActed }, { ...FACTS, mayHaveActed: false });
      assert.equal(failure.kind, 'badRequest');
      assert.match(failure.message, message);
      assert.match(failure.next ?? '', next);
    });
  }

  for (const [kind, request, texts, next] of [
    ['server', NEW, [NO_ROBOT], 'Try again.'],
    ['server', ROBOT, ['Something about robots'], 'Try again.'],
    ['server', NEW, ['no'], undefined],
    ...(['refused', 'unreachable', 'cancelled', 'unavailable'] as const).map(
      (other) => [other, ROBOT, [NOT_ALLOWED, NO_ROBOT], undefined] as const,
    ),
  ] as const) {
    test(`stays unchanged if it is about something else: ${kind}, ${texts.join(' ').slice(0, 40)}`, () => {
      const failure = failed(kind, next);
      assert.equal(explainCreationRefusal(withComplaints(failure, texts), request), failure);
    });
  }

  for (const [texts, before, next] of [
    [['no'], undefined, 'Check the name, the user and the duration.'],
    [['no'], 'Do this.', 'Do this.'],
    // Two sentences that would be one about a duration.
    [['Access token duration ', ' ONE_DAY is not allowed.'], undefined, 'Check the name, the user and the duration.'],
  ] as const) {
    test(`as bad input in unknown words says what to do: ${texts.join('')}, ${before}`, () => {
      assert.equal(explainCreationRefusal(withComplaints(failed('badRequest', before), texts), NEW).next, next);
    });
  }
});
