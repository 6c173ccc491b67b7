import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, suite, test } from 'node:test';
import * as fc from 'fast-check';
import { readCommandLineEnvironment, readCommandLineFile } from '../../../src/connections/commandLine.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import { tokenUntil } from './tokens.ts';
import { temporaryFolder } from '../platform/temporaryFolder.ts';

const LOCAL = 'http://localhost:8080';
const AT_LOCAL = { baseUrl: LOCAL, otherBaseUrls: [] };
/** The file's own, and the one without the path. */
const CATALOG = { baseUrl: 'https://catalog.example/gms', otherBaseUrls: ['https://catalog.example'] };
/** Parsed from a file with nothing else. */
const NOTHING = { token: undefined, source: 'commandLineFile', headers: {} };

const NO_TOKEN = "The token isn't a valid access token, so it won't be imported.";

let home: string;
beforeEach(async (context) => (home = await temporaryFolder(context)));

function pathOf(name: string): string {
  return join(home, name);
}

async function parsed(text: string): ReturnType<typeof readCommandLineFile> {
  await writeFile(pathOf('file'), text);
  return readCommandLineFile(pathOf('file'));
}

/** Not with the check of sentences: these begin with the name of the file. */
async function refusalOf(reading: Promise<unknown>): Promise<ServiceFailure> {
  const thrown: unknown = await reading.catch((reason: unknown) => reason);
  assert.ok(thrown instanceof ServiceFailure, String(thrown));
  return thrown;
}

/** A file as the command line of that release writes it. */
function written(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, 'datahubenv', `${name}.yaml`), 'utf8');
}

suite("The command line's file", () => {
  for (const [name, given, remarks] of [
    ['0.13.3.6-init', { ...AT_LOCAL, token: 'eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE' }, []],
    ['1.7.0.17-init', { ...AT_LOCAL, token: 'eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE' }, []],
    ['1.7.0.17-no-token', CATALOG, []],
    [
      '1.7.0.17-headers-and-certificates',
      { ...CATALOG, token: 'eyJ.EXAMPLE.EXAMPLE', headers: { 'X-Api-Key': 'secret-EXAMPLE' } },
      ["The certificates it names aren't used."],
    ],
    ['1.7.0.17-oauth', { ...CATALOG, token: 'eyJhbGciOiJIUzI1NiJ9.SHORT.LIVED' }, []],
  ] as const) {
    test(`gives what the command writes, and says what isn't followed: ${name}`, async () => {
      const { connection, remarks: said } = await parsed(await written(name));
      assert.deepEqual(connection, { ...NOTHING, ...given });
      assert.deepEqual(said, remarks);
      assert.doesNotMatch(said.join(), /refresh-EXAMPLE|client-1/);
    });
  }

  for (const [what, more, given, remark] of [
    [
      'no token, and says that a provider stands in its place',
      'auth: {type: oauth}}\noauth: {a: b',
      {},
      'The file names an authentication provider ("auth") instead of a token, so no token is imported.',
    ],
    ['no address in place of a token', `token: "${LOCAL}"`, {}, NO_TOKEN],
    ['no address without a scheme in place of a token', 'token: "localhost:8080"', {}, NO_TOKEN],
    ['no header in place of a token', 'token: "Basic abc"', {}, NO_TOKEN],
    ['no token that has expired', `token: "${tokenUntil(1_700_000_000_000)}"`, {}, 'The access token has expired.'],
    [
      'the headers that can be sent',
      'extra_headers: {X-Key: 1, Host: secret-value, X-A: {a: b}}',
      { headers: { 'X-Key': '1' } },
      undefined,
    ],
    ['no headers that are a text', 'extra_headers: X-Key', {}, undefined],
    ['no headers that are a list', 'extra_headers: [X-Key]', {}, undefined],
    ['no headers if there are none', 'extra_headers: null', {}, undefined],
  ] as const) {
    test(`gives ${what}`, async () => {
      const { connection, remarks } = await parsed(`gms: {server: ${LOCAL}, ${more}}`);
      assert.deepEqual(connection, { ...NOTHING, ...AT_LOCAL, ...given });
      assert.deepEqual(remarks, remark === undefined ? [] : [remark]);
    });
  }

  test('gives the last of equal keys, as the command reads it', async () => {
    const text = `gms: {server: "https://first.example", server: ${LOCAL}}`;
    assert.equal((await parsed(text)).connection.baseUrl, LOCAL);
  });

  for (const [what, text, reason] of [
    ['an empty file', '', /isn't a valid configuration file/],
    ['a list', '- a', /isn't a valid configuration file/],
    ['a number as the token', `gms: {server: ${LOCAL}, token: 7}`, /isn't a valid configuration file/],
    ['no server', 'gms: {token: secret-value}', /isn't a valid configuration file/],
    ['broken YAML', 'gms: {token: secret-value', /isn't a valid configuration file/],
    ['a custom tag', `gms: {server: !!js/function secret-value}`, /isn't a valid configuration file/],
    ['deep nesting', '['.repeat(60_000), /isn't a valid configuration file/],
    ['another scheme', 'gms: {server: "file:///secret-value"}', /isn't a valid address/],
    ['a password in the address', 'gms: {server: "https://a:secret-value@b"}', /isn't a valid address/],
    ['no address', 'gms: {server: ""}', /isn't a valid address/],
  ] as const) {
    test(`is refused with one sentence that quotes nothing of it: ${what}`, async () => {
      const failure = await refusalOf(parsed(text));
      assert.match(failure.message, reason);
      assert.doesNotMatch(failure.advice, /secret-value/);
    });
  }

  test('costs nothing if aliases repeat each other', async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}, *a${at}]`);
    const { connection } = await parsed(['a0: &a0 x', ...lines, `gms: {server: ${LOCAL}, auth: *a60}`].join('\n'));
    assert.equal(connection.baseUrl, LOCAL);
  });

  test('is read or refused, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 200 }), async (text) => {
        try {
          await parsed(text);
        } catch (thrown) {
          assert.ok(thrown instanceof ServiceFailure);
        }
      }),
    );
  });

  test('is followed where it is a link, and its target is named', async () => {
    await writeFile(pathOf('target'), await written('1.7.0.17-init'));
    await symlink('target', pathOf('link'));
    await symlink('link', pathOf('link-to-link'));
    for (const name of ['link', 'link-to-link']) {
      const { connection, remarks } = await readCommandLineFile(pathOf(name));
      assert.deepEqual([connection.baseUrl, remarks], [LOCAL, [`~/.datahubenv is a link to ${pathOf('target')}.`]]);
    }
  });

  for (const [what, make, reason] of [
    ['missing', () => undefined, /There is no ~\/\.datahubenv/],
    ['a folder', (path: string) => mkdir(path), /Couldn't read ~\/\.datahubenv/],
    ['a link to none', (path: string) => symlink(pathOf('none'), path), /There is no ~\/\.datahubenv/],
  ] as const) {
    test(`is refused if it is ${what}`, async () => {
      await make(pathOf('file'));
      const failure = await refusalOf(readCommandLineFile(pathOf('file')));
      assert.match(failure.message, reason);
    });
  }
});

const ENVIRONMENT_TOKEN = 'eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE';

suite("The command line's environment", () => {
  for (const [what, environment, expected] of [
    ['nothing', {}, undefined],
    ['a token alone', { DATAHUB_GMS_TOKEN: ENVIRONMENT_TOKEN }, undefined],
    ['no address', { DATAHUB_GMS_URL: 'file:///etc/passwd', DATAHUB_GMS_TOKEN: ENVIRONMENT_TOKEN }, undefined],
    ['a server', { DATAHUB_GMS_URL: 'http://localhost:8080' }, ['http://localhost:8080', undefined]],
    [
      'server and token',
      { DATAHUB_GMS_URL: 'https://dh.example/gms', DATAHUB_GMS_TOKEN: ` "${ENVIRONMENT_TOKEN}"` },
      ['https://dh.example/gms', ENVIRONMENT_TOKEN],
    ],
    [
      'a port, which the command prefers',
      { DATAHUB_GMS_HOST: 'gms.prod', DATAHUB_GMS_PORT: '8080', DATAHUB_GMS_URL: 'https://dh.example' },
      ['http://gms.prod:8080', undefined],
    ],
    [
      'a port and a protocol',
      { DATAHUB_GMS_HOST: 'gms.prod', DATAHUB_GMS_PORT: '443', DATAHUB_GMS_PROTOCOL: 'https' },
      ['https://gms.prod', undefined],
    ],
    [
      'a host beside an empty address',
      { DATAHUB_GMS_URL: '', DATAHUB_GMS_HOST: 'http://gms.prod' },
      ['http://gms.prod', undefined],
    ],
    ['a host alone', { DATAHUB_GMS_HOST: 'https://gms.prod' }, ['https://gms.prod', undefined]],
  ] as const) {
    test(`gives what the command would use of ${what}`, () => {
      const { connection, remarks } = readCommandLineEnvironment(environment) ?? {};
      assert.deepEqual(connection && [connection.baseUrl, connection.token], expected);
      assert.deepEqual(remarks ?? [], []);
    });
  }

  test('gives no token where it has the address instead, and says so', () => {
    for (const address of ['http://gms.prod:8080', 'gms.prod:8080']) {
      const read = readCommandLineEnvironment({ DATAHUB_GMS_URL: 'http://gms.prod:8080', DATAHUB_GMS_TOKEN: address });
      assert.equal(read?.connection.token, undefined);
      assert.deepEqual(read?.remarks, [NO_TOKEN]);
    }
  });
});
