/** Unknown secrets in texts of servers, drivers and proxies. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { redactSecrets, readableServerText } from '../../../../src/service/failure/redaction.ts';
import { CREDENTIAL, READING } from '../clients.ts';

/** Secret in each text, unless another one is given. */
const PASSWORD = 'hunter2-Xy';
const BASIC = Buffer.from(`admin:${PASSWORD}`).toString('base64');

const LEAKS: readonly (readonly [what: string, text: string, secret?: string])[] = [
  [
    'a password right behind a masked header',
    `Authorization: Token 9944b09199c62bcf9418ad846dd0e4bb;A$passwd = '${PASSWORD}'`,
  ],
  ['a URL with a password alone', `redis://:${PASSWORD}@cache:6379/0 refused`],
  ['a URL with a token as its user', `cloning https://${PASSWORD}@github.com/x/y failed`],
  ['a URL with a password with a slash', `amqp://guest:ab/${PASSWORD}@mq/vhost`],
  ['a URL with a password with an at sign', `mongodb+srv://root:p@${PASSWORD}@cluster0.example.net/db`],
  ['a JDBC address with a parameter', `jdbc:postgresql://db:5432/datahub?user=datahub&password=${PASSWORD}&ssl=true`],
  ['a JDBC address with a user', `jdbc:mysql://root:${PASSWORD}@mysql:3306/datahub`],
  ['an account key', `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${PASSWORD}==;EndpointSuffix=x`],
  ['an AWS key', `AWS_SECRET_ACCESS_KEY=${PASSWORD}`],
  ['a client secret', `{"client_id":"x","client_secret":"${PASSWORD}"}`],
  ['a client secret in camel case', `clientSecret: ${PASSWORD}`],
  ['an API key', `GET /v1?api_key=${PASSWORD}&q=1`],
  ['a header for an API key', `X-Api-Key: ${PASSWORD}`],
  ['a header for a token', `x-auth-token: ${PASSWORD}`],
  ['a name with two words', `API key: ${PASSWORD}`],
  ['passwd', `passwd = '${PASSWORD}'`],
  ['a property with dots', `spring.datasource.password: ${PASSWORD}`],
  ['a key store', `javax.net.ssl.keyStorePassword=${PASSWORD}`],
  ['JAAS', `sasl.jaas.config=PlainLoginModule required username="u" password="${PASSWORD}";`],
  ['an escaped password', `{"message":"{\\"password\\":\\"${PASSWORD}\\"}"}`],
  ['a password with an escaped quotation mark', `{"password":"a\\"${PASSWORD}"}`],
  ['a list', `"passwords":["${PASSWORD}"]`],
  ['a list of several', `"passwords": ["one", "${PASSWORD}"], "x": 1`],
  ['a list of several, escaped', `{\\"passwords\\":[\\"one\\",\\"${PASSWORD}\\"]}`],
  ['a list over lines', `{\n  "password": [\n    "${PASSWORD}"\n  ]\n}`],
  ['a list of headers', `{Accept=[*/*], Authorization=[Custom one, ${PASSWORD}]}`],
  ['an object', `{"token": {"value": "${PASSWORD}"}}`],
  ['a word named as a key', 'apiKey: correcthorse', 'correcthorse'],
  ['a number named as a token', '"accessToken": 12345678', '12345678'],
  ['a private key by its name', `privateKey=-----BEGIN PRIVATE KEY-----\nMIIE${PASSWORD}\n-----END PRIVATE KEY-----`],
  ['an option with an equals sign', `--client-secret=${PASSWORD}`],
  ['Set-Cookie', `Set-Cookie: PLAY_SESSION=${PASSWORD}; Path=/; HttpOnly`],
  ['Cookie', `Cookie: a=1; PLAY_SESSION=${PASSWORD}`],
  ['Basic', `sent Basic ${BASIC} to x`, BASIC],
  ['Basic in small letters', `authorization=basic ${BASIC}`, BASIC],
  ['Basic in clear', `sent Basic __datahub_system:JohnSnowKnowsNothing to x`, 'JohnSnowKnowsNothing'],
  ['Bearer', `got Bearer ${PASSWORD}`],
  ['Bearer, quoted', `got Bearer "${PASSWORD}"`],
  ['Bearer, escaped', `{"message":"got Bearer \\"${PASSWORD}\\""}`],
  ['Bearer, quoted in a header', `Authorization: Bearer "${PASSWORD}"`],
  ['Bearer in a sentence', `Invalid Bearer token ${PASSWORD}`],
  ['Bearer in a sentence, quoted', `Invalid bearer token "${PASSWORD}"`],
  ['Bearer as a name', `Bearer: ${PASSWORD}`],
  ['Basic, quoted', `sent Basic \\"${BASIC}\\" to x`, BASIC],
  ['NTLM', 'Proxy-Authorization: NTLM TlRMTVNTUAABAAAAB4IIogAAAAA=', 'TlRMTVNTUAAB'],
  ['Digest', `Authorization: Digest username="Mufasa", realm="x", uri="/", response="${PASSWORD}"`],
  ['Token', 'Authorization: Token 9944b09199c62bcf9418ad846dd0e4bb', '9944b09199c62bcf'],
];

for (const [what, text] of [
  ['an element', `<user><name>x</name><password>${PASSWORD}</password></user>`],
  ['an element with a name', `<property name="db.password">${PASSWORD}</property>`],
] as const) {
  test(`An unknown secret in markup is removed with the markup: ${what}`, () =>
    assert.ok(!readableServerText(text, READING)?.includes(PASSWORD)));
}

for (const [what, text, secret = PASSWORD] of LEAKS) {
  test(`An unknown secret is removed from a text: ${what}`, () => {
    assert.ok(text.includes(secret));
    for (const shown of [redactSecrets(text), readableServerText(text, READING) ?? '']) {
      assert.ok(!shown.includes(secret), shown);
      assert.ok(shown.includes('<redacted>'), shown);
    }
  });
}

for (const [text, shown] of [
  [
    `jdbc:sqlserver://db:1433;databaseName=dh;user=sa;password=${PASSWORD};encrypt=true`,
    'jdbc:sqlserver://db:1433;databaseName=dh;user=sa;password=<redacted>;encrypt=true',
  ],
  [
    `Cannot connect to https://admin:${PASSWORD}@es.example.com:9200/_search: refused`,
    'Cannot connect to https://<redacted>@es.example.com:9200/_search: refused',
  ],
  [`Got Authorization: Basic ${BASIC}, which is wrong`, 'Got Authorization: <redacted>, which is wrong'],
  [`EBEAN_DATASOURCE_PASSWORD=${PASSWORD} is wrong`, 'EBEAN_DATASOURCE_PASSWORD=<redacted> is wrong'],
  ['{"accessToken":"0123-opaque","name":"ci"}', '{"accessToken":<redacted>,"name":"ci"}'],
  ['login with password=hunter2&user=x failed', 'login with password=<redacted>&user=x failed'],
  ['password="hunter 2" cut', 'password=<redacted> cut'],
  ['password="hunter 2', 'password=<redacted>'],
  ["password='hunter 2' cut", 'password=<redacted> cut'],
  ["password='hunter 2", 'password=<redacted>'],
  ['bearer  \t opaque-token', 'Bearer <redacted>'],
  [`new token ${CREDENTIAL} made`, 'new token <redacted> made'],
  [`cut off: ${CREDENTIAL.slice(0, 30)}`, 'cut off: <redacted>'],
  [`wrapped: ${CREDENTIAL.replace(/.{40}/g, '$&\r\n')}`, 'wrapped: <redacted>'],
  ['split: eyJhbGciOiJIUzI1 .c2lnbmF0dXJl', 'split: <redacted>'],
  ...['idToken', 'id_token', 'refreshToken', 'refresh_token', 'ACCESS_TOKEN', 'Secret', 'cookie'].map(
    (name) => [`${name}=hunter2`, `${name}=<redacted>`] as const,
  ),
] as const) {
  test(`The text around an unknown secret stays unchanged: ${shown}`, () => {
    assert.equal(redactSecrets(text), shown);
    assert.equal(readableServerText(text, READING), shown);
    assert.equal(redactSecrets(shown), shown);
  });
}

for (const text of [
  'Access token no longer exists',
  'Invalid token: expired',
  'Access token: missing.',
  "Authorization header missing 'Bearer' prefix.",
  "Request is missing 'Authorization' header.",
  'Bearer authentication is required',
  'WWW-Authenticate: Bearer realm="DataHub", error="invalid_token"',
  'WWW-Authenticate: Basic realm="DataHub"',
  'Basic authentication is not supported for https://datahub.example.com:8080/api/graphql',
  'Session: expired',
  'Basic: not supported',
  '<property name="db.user">datahub</property>',
  '<name>fs.s3a.endpoint</name><value>s3.example.com</value>',
  'In this session: not found, sessions: 4, outside: 7',
  'Token "nightly" was not found, token \'nightly build 7\' neither',
  'The password is wrong. "Sign in" again.',
  '{"value":"json","name":"Accept"},{"name":"Authorization"}',
  'Token type: PERSONAL, token id: 4ffa-11',
  'Revoked token urn:li:dataHubAccessToken:0aEd7dbnLxz3AIbkrJ1u3g',
  'Digest mismatch for sha256',
  'method [GET], host [https://search.example.com:443], URI [*aspect_v1/_stats], status line [HTTP/1.1 400 Bad Request]',
  'Delete 42 out of 100 rows (42.00%). Reindexing the aspect without the deleted records. This was a dry run.',
  'Failed to find entity with name datasets in EntityRegistry',
  'no such index [dataset_operationaspect_v1]',
  'Could not reach https://datahub.example.com:8080/users/jdoe@example.com',
  'Write to admin@example.com about https://datahub.example.com',
  'max_tokens: 100, totalTokens=57, tokens: 3',
  'aspect key: urn:li:dataset:(urn:li:dataPlatform:hive,x,PROD)',
  'partition key: 7, public key: none',
  'NullPointerException at index 3: value=null, name: x',
  'Kansas: 3, mapping: 4, compass=5, bypass: on',
  'You need the privilege "Generate Personal Access Tokens".',
  '12:30:45 GMT, ratio 3:4, a=b&c=d, {"count":3,"total":4}',
  'task qhxGdzytQS-pQek8CwBCZg:54654 of node qhxGdzytQS-pQek8CwBCZg',
  '<redacted>',
  'password=<redacted>&user=x, https://<redacted>@x/, Bearer <redacted>, Authorization: <redacted>',
]) {
  test(`An ordinary text stays unchanged: ${text}`, () => assert.equal(redactSecrets(text), text));
}

suite('Masking', () => {
  test('does not change text that is already masked', () => {
    for (const [, text] of LEAKS) {
      const once = redactSecrets(text);
      assert.equal(redactSecrets(once), once);
    }
  });

  const SHORT = ['a', ' ', 'a:', 'a: ', '://', 'http://a:', '\\', '\\"', 'QUJD', 'eyJhb ', 'eyJhbGci.', 'token: a'];
  const NAMED = ['password', 'password=', 'password="', 'password=\\"', 'password: ', 'urn:a:key'];
  for (const part of [...SHORT, ...NAMED, 'Authorization: Basic ', 'Cookie: a; ', 'Cookie: a\n']) {
    test(`takes no time that grows with the square of the length: ${JSON.stringify(part)}`, () => {
      const text = part.repeat(200_000 / part.length);
      const taken = [1, 2].map(() => {
        const started = process.cpuUsage().user;
        readableServerText(text, READING);
        redactSecrets(text);
        return (process.cpuUsage().user - started) / 1_000;
      });
      // Quadratic time would be more than a minute here.
      assert.ok(Math.min(...taken) < 3_000, taken.join());
    });
  }
});
