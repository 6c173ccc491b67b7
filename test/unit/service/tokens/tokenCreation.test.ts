import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { rememberSecret } from '../../../../src/service/failure/secret.ts';
import { ALWAYS, CREDENTIAL, failureOf, ME, SCHEMA_OF_0_14, SCHEMA_OF_SPEC, typeAnswer } from '../clients.ts';
import { answering, invalid, refusal } from '../tokenServer.ts';
import { explainCreationRefusal, type TokenCreationRequest } from '../../../../src/service/tokens/tokenCreation.ts';
import { ServiceFailure } from '../../../../src/service/failure/failure.ts';

const NEW: TokenCreationRequest = {
  type: 'PERSONAL',
  actorUrn: ME,
  duration: 'ONE_HOUR',
  name: 'my personal token',
  description: 'ci',
};
const CREATED = {
  data: {
    createAccessToken: {
      // Too short to be remembered, so that each test can have it answered.
      accessToken: 'new-tkn',
      metadata: { id: 'new-id', name: 'my personal token', description: 'ci' },
    },
  },
};

suite('Creating a token', () => {
  test('sends the fields as variables and returns the string as a secret', async (context) => {
    const { service, sent } = await answering(context, [CREATED]);
    const created = await service.tokens.create(NEW, true, { mayStillSend: ALWAYS });
    assert.equal(created.secret.reveal(), 'new-tkn');
    assert.deepEqual([created.id, created.name, created.description], ['new-id', 'my personal token', 'ci']);
    assert.ok(!JSON.stringify(created).includes('new-tkn'));
    assert.deepEqual(sent()[0]?.variables, {
      input: { type: 'PERSONAL', actorUrn: ME, duration: 'ONE_HOUR', name: 'my personal token', description: 'ci' },
    });
    assert.equal(
      sent()[0]?.query,
      'mutation createAccessToken($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { accessToken metadata { id name description } } }',
    );
  });

  test('by the interface description uses its input type and sends no description', async (context) => {
    const { service, sent } = await answering(context, [CREATED], SCHEMA_OF_SPEC);
    await service.tokens.create(NEW, true, { mayStillSend: ALWAYS });
    assert.match(sent()[0]?.query ?? '', /\$input: GetAccessTokenInput!/);
    assert.deepEqual(sent()[0]?.variables, {
      input: { type: 'PERSONAL', actorUrn: ME, duration: 'ONE_HOUR', name: 'my personal token' },
    });
  });

  test('for a service account, and for any length of time, works if the server knows both', async (context) => {
    const { service, sent } = await answering(context, [CREATED]);
    await service.tokens.create(
      { ...NEW, type: 'SERVICE_ACCOUNT', duration: { iso: 'P45D' }, description: undefined },
      false,
      { mayStillSend: ALWAYS },
    );
    assert.deepEqual(sent()[0]?.variables, {
      input: { type: 'SERVICE_ACCOUNT', actorUrn: ME, durationIso: 'P45D', name: 'my personal token' },
    });
  });

  const answerWith = (accessToken: string, id: string) => ({
    data: { createAccessToken: { accessToken, metadata: { id } } },
  });
  for (const [what, answer] of [
    ['the token that the request carried', answerWith(CREDENTIAL, 'new-id')],
    ['the ID of a token from before', answerWith('another-new-token', 'id-from-before')],
  ] as const) {
    test(`has an unknown outcome if the answer is from before: ${what}`, async (context) => {
      const { service, server } = await answering(context, [answer]);
      const isKnownId = (id: string): boolean => id === 'id-from-before';
      const failure = await failureOf(service.tokens.create(NEW, true, { mayStillSend: ALWAYS, isKnownId }));
      assert.deepEqual([failure.kind, failure.mayHaveActed], ['unexpectedAnswer', true]);
      assert.match(failure.message, /token that already existed/);
      assert.equal(server.requests.length, 1);
    });
  }

  test('answered twice with the same token, by a cache, creates one', async (context) => {
    const { service } = await answering(context, [
      answerWith('cached-new-token', ''),
      answerWith('cached-new-token', ''),
    ]);
    assert.equal(
      (await service.tokens.create(NEW, true, { mayStillSend: ALWAYS })).secret.reveal(),
      'cached-new-token',
    );
    assert.equal((await failureOf(service.tokens.create(NEW, true, { mayStillSend: ALWAYS }))).mayHaveActed, true);
  });

  test('is not attempted if the server could not understand it', async (context) => {
    const { service, server } = await answering(context, [CREATED], SCHEMA_OF_0_14);
    assert.equal(
      (await failureOf(service.tokens.create({ ...NEW, duration: { iso: 'P45D' } }, true, { mayStillSend: ALWAYS })))
        .kind,
      'unsupported',
    );
    assert.equal(server.requests.length, 0);
  });

  test('names the missing privilege: for the caller, for others, for service accounts', async (context) => {
    const { service } = await answering(context, [refusal(403)]);
    const privilege = async (request: TokenCreationRequest, isSelf: boolean): Promise<string | undefined> =>
      (await failureOf(service.tokens.create(request, isSelf, { mayStillSend: ALWAYS }))).privilege;
    assert.equal(await privilege(NEW, true), 'Generate Personal Access Tokens');
    assert.equal(await privilege(NEW, false), 'Manage All Access Tokens');
    assert.equal(await privilege({ ...NEW, type: 'SERVICE_ACCOUNT' }, false), 'Manage Service Accounts');
  });

  test('succeeds although the server omits the metadata', async (context) => {
    for (const metadata of [null, undefined, 7, {}, { id: '' }]) {
      const { service } = await answering(context, [
        {
          data: { createAccessToken: { accessToken: 'new-tkn', metadata } },
          errors: [{ message: 'no metadata', path: ['createAccessToken', 'metadata'] }],
        },
      ]);
      const created = await service.tokens.create(NEW, true, { mayStillSend: ALWAYS });
      assert.deepEqual([created.secret.reveal(), created.id, created.name], ['new-tkn', '', 'my personal token']);
    }
  });

  // After a line break in it, the rest would run in the terminal where it is pasted.
  for (const accessToken of ['', ' \n', 'new\nrm -r ~\n', 'new token', 'new\u202Etoken', 7]) {
    test(`with ${JSON.stringify(accessToken)} as its string may have succeeded, and says so`, async (context) => {
      const { service } = await answering(context, [
        { data: { createAccessToken: { accessToken, metadata: { id: 'x' } } } },
      ]);
      const failure = await failureOf(service.tokens.create(NEW, true, { mayStillSend: ALWAYS }));
      assert.deepEqual([failure.kind, failure.mayHaveActed], ['unexpectedAnswer', true]);
    });
  }

  test('keeps its string if the server added white space around it', async (context) => {
    const { service } = await answering(context, [{ data: { createAccessToken: { accessToken: 'new-tkn\n' } } }]);
    assert.equal((await service.tokens.create(NEW, true, { mayStillSend: ALWAYS })).secret.reveal(), 'new-tkn');
  });

  for (const [what, errors] of [
    ['a part of its fields', [{ message: 'no', path: ['createAccessToken', 'metadata'], extensions: { code: 403 } }]],
    [
      'it in two ways',
      [
        { message: 'no', path: ['createAccessToken'], extensions: { code: 403 } },
        { message: 'out of order', path: ['createAccessToken'], extensions: { code: 500 } },
      ],
    ],
  ] as const) {
    test(`may have succeeded if the server refuses ${what}, and says so`, async (context) => {
      const { service } = await answering(context, [{ errors, data: { createAccessToken: null } }]);
      const failure = await failureOf(service.tokens.create(NEW, true, { mayStillSend: ALWAYS }));
      assert.deepEqual([failure.kind, failure.mayHaveActed], ['refused', true]);
    });
  }

  test('with a duration that the server doesn’t allow says so, and that nothing was created', async (context) => {
    const { service } = await answering(context, [
      refusal(
        400,
        'Creating access tokens with no expiry is disabled. Configure authentication.accessTokens.allowNoExpiry=true to enable.',
      ),
    ]);
    const failure = await failureOf(
      service.tokens.create({ ...NEW, duration: 'NO_EXPIRY' }, true, { mayStillSend: ALWAYS }),
    );
    assert.deepEqual(
      [failure.kind, failure.mayHaveActed, failure.next],
      ['badRequest', false, 'Choose another duration.'],
    );
    assert.equal(failure.message, "This server doesn't allow that duration.");
  });

  test('with a length that is not allowed names the allowed ones', async (context) => {
    const { service } = await answering(context, [
      refusal(
        400,
        "Access token duration 'P45D' is not allowed. Choose a value from ACCESS_TOKEN_ALLOWED_DURATIONS (currently: [PT1H, P1M, P400D]).",
      ),
    ]);
    const failure = await failureOf(
      service.tokens.create({ ...NEW, duration: { iso: 'P45D' } }, true, { mayStillSend: ALWAYS }),
    );
    assert.equal(failure.next, 'Choose one of these: 1 hour, 1 month (30 days), 400 days.');
    assert.deepEqual(await service.offeredDurations(), ['ONE_HOUR', 'ONE_MONTH', { iso: 'P400D' }, 'NO_EXPIRY']);
  });

  test('for a week is sent as seven days if any length is accepted: few servers know the week', async (context) => {
    const { service, sent } = await answering(context, [CREATED]);
    await service.tokens.create({ ...NEW, duration: 'ONE_WEEK' }, true, { mayStillSend: ALWAYS });
    assert.deepEqual(sent()[0]?.variables, {
      input: { type: 'PERSONAL', actorUrn: ME, durationIso: 'P7D', name: 'my personal token', description: 'ci' },
    });
    const older = await answering(context, [CREATED], SCHEMA_OF_0_14);
    await older.service.tokens.create({ ...NEW, duration: 'ONE_WEEK' }, true, { mayStillSend: ALWAYS });
    assert.match(JSON.stringify(older.sent()[0]?.variables), /"duration":"ONE_WEEK"/);
  });

  test('for a user that is not a service account says so, and that nothing was created', async (context) => {
    const { service } = await answering(context, [
      refusal(500, 'Failed to validate service account. Root cause: The specified URN is not a service account: x'),
    ]);
    const failure = await failureOf(
      service.tokens.create({ ...NEW, type: 'SERVICE_ACCOUNT' }, false, { mayStillSend: ALWAYS }),
    );
    assert.deepEqual(
      [failure.kind, failure.mayHaveActed, failure.message, failure.next],
      [
        'badRequest',
        false,
        "This service account doesn't exist on the server.",
        'Enter the ID or URN of a service account.',
      ],
    );
  });

  test('says what to check even if the server calls it bad input in unknown words', async (context) => {
    const { service } = await answering(context, [refusal(400, 'Names are in Klingon here')]);
    const failure = await failureOf(service.tokens.create(NEW, true, { mayStillSend: ALWAYS }));
    assert.deepEqual([failure.kind, failure.next], ['badRequest', 'Check the name, the user and the duration.']);
  });

  test('is not repeated if it does not fit the schema, but learns what to send next time', async (context) => {
    const { service, server } = await answering(context, [
      invalid("Validation error (UnknownType) : Unknown type 'CreateAccessTokenInput'"),
      { data: {} },
      invalid("Unknown type 'CreateAccessTokenInput'"),
    ]);
    const failure = await failureOf(service.tokens.create(NEW, true, { mayStillSend: ALWAYS }));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['invalidDocument', false]);
    assert.match(failure.next ?? '', /^Nothing was created\..*try again\.$/);
    assert.equal(server.requests.length, 1);
    assert.equal((await service.server.fact('creation')).inputType, 'GetAccessTokenInput');
  });

  const type = typeAnswer('inputFields', ['name', 'description']);

  test('rereads the schema if that is from before, and otherwise suggests a connection test', async (context) => {
    const { service, sent } = await answering(context, [
      invalid('Validation failed.'),
      type,
      invalid('Validation failed.'),
    ]);
    assert.match(
      (await failureOf(service.tokens.create(NEW, true, { mayStillSend: ALWAYS }))).next ?? '',
      /^Nothing was created\./,
    );
    assert.match(
      (await failureOf(service.tokens.create(NEW, true, { mayStillSend: ALWAYS }))).next ?? '',
      /^Test the connection/,
    );
    assert.deepEqual(service.server.known.creation?.takesDescription, true);
    assert.equal(sent().length, 3);
  });
});

suite('A creation', () => {
  for (const [what, request, isSelf, doing, privilege] of [
    ['for oneself', NEW, true, 'create access tokens', 'Generate Personal Access Tokens'],
    ['for another user', NEW, false, 'create access tokens for other users', 'Manage All Access Tokens'],
    [
      'for a service account',
      { ...NEW, type: 'SERVICE_ACCOUNT' },
      true,
      'create service account access tokens',
      'Manage Service Accounts',
    ],
  ] as const) {
    test(`${what} that is refused names the action and the missing privilege`, async (context) => {
      const { service } = await answering(context, [refusal(403)]);
      const failure = await failureOf(service.tokens.create(request, isSelf, { mayStillSend: ALWAYS }));
      assert.equal(failure.message, `The server refused: you aren't allowed to ${doing}.`);
      assert.equal(failure.privilege, privilege);
    });
  }

  test('names itself if the server could not understand it', async (context) => {
    const { service } = await answering(context, [CREATED], SCHEMA_OF_0_14);
    const failure = await failureOf(
      service.tokens.create({ ...NEW, duration: { iso: 'P45D' } }, true, { mayStillSend: ALWAYS }),
    );
    assert.deepEqual([failure.operation, failure.mayHaveActed], ['createAccessToken', false]);
  });

  test('sends an empty description, and none if there is none', async (context) => {
    const { service, sent } = await answering(context, [CREATED, CREATED]);
    await service.tokens.create({ ...NEW, description: '' }, true, { mayStillSend: ALWAYS });
    await service.tokens.create({ ...NEW, description: undefined }, true, { mayStillSend: ALWAYS });
    assert.deepEqual(
      sent().map(({ variables }) => (variables as { input: { description?: string } }).input.description),
      ['', undefined],
    );
  });

  for (const [what, accessToken, id] of [
    ['the token', 'opaque-token-without-a-shape', 'x-opaque-token-without-a-shape'],
    ['a short token', 'opaque', 'x-opaque'],
    ['another token', 'another-token-without-a-shape', `x-${CREDENTIAL}`],
  ] as const) {
    test(`with a response that repeats ${what} in its ID has no ID`, async (context) => {
      rememberSecret(CREDENTIAL);
      const { service } = await answering(context, [
        { data: { createAccessToken: { accessToken, metadata: { id } } } },
      ]);
      assert.equal((await service.tokens.create(NEW, true, { mayStillSend: ALWAYS })).id, '');
    });
  }
});

const A_DAY_LONG: TokenCreationRequest = {
  type: 'PERSONAL',
  actorUrn: ME,
  duration: 'ONE_DAY',
  name: 'ci',
  description: undefined,
};
const ROBOT: TokenCreationRequest = { ...A_DAY_LONG, type: 'SERVICE_ACCOUNT' };
const FACTS = { operation: 'createAccessToken', status: 200, mayHaveActed: true };
const NOT_ALLOWED = 'Access token duration ONE_DAY is not allowed.';
const NO_ROBOT = 'The specified URN is not a service account: urn:li:corpuser:x';

function failed(kind: ServiceFailure['kind'], next?: string): ServiceFailure {
  return new ServiceFailure(kind, 'As it was told.', { ...FACTS, next });
}

suite('A refused creation', () => {
  for (const kind of ['badRequest', 'server', 'invalidDocument'] as const) {
    test(`for its duration says so, and that nothing was created (${kind})`, () => {
      const failure = explainCreationRefusal(failed(kind), A_DAY_LONG, ['One of two.', NOT_ALLOWED]);
      assert.deepEqual(
        { ...failure },
        {
          ...new ServiceFailure('badRequest', '', { ...FACTS, mayHaveActed: false, next: 'Choose another duration.' }),
        },
      );
      assert.match(failure.message, /duration/);
    });
  }

  test('for its duration names the allowed ones, twelve at most', () => {
    const days = Array.from({ length: 14 }, (_, day) => `P${day + 2}D`);
    const failure = explainCreationRefusal(failed('badRequest'), A_DAY_LONG, [
      `${NOT_ALLOWED} Allowed durations: [${days.join(', ')}]`,
    ]);
    assert.match(failure.next ?? '', /^Choose one of these: 2 days, 3 days, .*, 13 days\.$/);
  });

  test('is not recognized in two sentences joined into one', () => {
    const texts = ['Access token duration ', ' ONE_DAY is not allowed.'];
    assert.match(explainCreationRefusal(failed('badRequest'), A_DAY_LONG, texts).next ?? '', /^Check the name/);
  });

  for (const text of [NO_ROBOT, 'FAILED TO VALIDATE SERVICE ACCOUNT']) {
    test(`for a missing service account says so: ${text}`, () => {
      const failure = explainCreationRefusal(failed('server'), ROBOT, [text]);
      assert.deepEqual(
        [failure.kind, failure.mayHaveActed, failure.status, failure.operation],
        ['badRequest', false, 200, 'createAccessToken'],
      );
      assert.match(failure.message, /service account/);
      assert.match(failure.next ?? '', /service account/);
    });
  }

  for (const [what, request, text] of [
    ['of a personal token', A_DAY_LONG, NO_ROBOT],
    ['in other words', ROBOT, 'Something about robots'],
  ] as const) {
    test(`${what} is not mistaken for a missing service account`, () => {
      const failure = failed('server', 'Try again.');
      assert.equal(explainCreationRefusal(failure, request, [text]), failure);
    });
  }

  test('as bad input says what to check, unless there is a next step', () => {
    assert.match(explainCreationRefusal(failed('badRequest'), A_DAY_LONG, ['no']).next ?? '', /name.*user.*duration/);
    assert.equal(explainCreationRefusal(failed('badRequest', 'Do this.'), A_DAY_LONG, ['no']).next, 'Do this.');
    assert.equal(explainCreationRefusal(failed('server'), A_DAY_LONG, ['no']).next, undefined);
  });

  for (const kind of ['refused', 'unreachable', 'cancelled', 'unavailable'] as const) {
    test(`stays unchanged if it is about something else: ${kind}`, () => {
      const failure = failed(kind);
      assert.equal(explainCreationRefusal(failure, ROBOT, [NOT_ALLOWED, NO_ROBOT]), failure);
    });
  }
});
