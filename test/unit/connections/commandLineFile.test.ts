import assert from 'node:assert/strict';
import { chown, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { readCommandLineFile } from '../../../src/connections/commandLineFile.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';

const LOCAL = 'http://localhost:8080';
/** The file's own, and the one without the path. */
const CATALOG = { baseUrl: 'https://catalog.example/gms', otherBaseUrls: ['https://catalog.example'] };
const FILE = 'commandLineFile';

let home: string;
before(async () => (home = await mkdtemp(join(tmpdir(), 'datahubenv-'))));
after(() => rm(home, { recursive: true }));

/** What a file with this text gives. */
async function parsed(text: string): ReturnType<typeof readCommandLineFile> {
  await writeFile(join(home, 'file'), text);
  return readCommandLineFile(join(home, 'file'));
}

/** A file as the command line of that release writes it. */
function written(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, 'datahubenv', `${name}.yaml`), 'utf8');
}

suite("The command line's file", () => {
  for (const release of ['0.13.3.6', '1.7.0.17']) {
    test(`gives server and token as ${release} writes them`, async () => {
      assert.deepEqual(await parsed(await written(`${release}-init`)), {
        connection: {
          baseUrl: LOCAL,
          otherBaseUrls: [],
          token: 'eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE',
          source: FILE,
          headers: {},
        },
        remarks: [],
      });
    });
  }

  test('gives a server without a token', async () => {
    assert.deepEqual(await parsed(await written('1.7.0.17-no-token')), {
      connection: { ...CATALOG, token: undefined, source: FILE, headers: {} },
      remarks: [],
    });
  });

  test('gives additional headers, and names what is not followed', async () => {
    const { connection, remarks } = await parsed(await written('1.7.0.17-headers-and-certificates'));
    const headers = { 'X-Api-Key': 'secret-EXAMPLE' };
    assert.deepEqual(connection, { ...CATALOG, token: 'eyJ.EXAMPLE.EXAMPLE', source: FILE, headers });
    assert.deepEqual(remarks, [
      "Its certificates aren't used.",
      '"disable_ssl_verification" has no effect: certificates are always verified.',
    ]);
  });

  test("says that a session's token ends soon", async () => {
    const { connection, remarks } = await parsed(await written('1.7.0.17-oauth'));
    assert.deepEqual(connection, {
      ...CATALOG,
      token: 'eyJhbGciOiJIUzI1NiJ9.SHORT.LIVED',
      source: 'commandLineSession',
      headers: {},
    });
    assert.match(remarks.join(), /expires within minutes to hours, and only the datahub command can renew it/);
    assert.doesNotMatch(remarks.join(), /refresh-EXAMPLE|client-1/);
  });

  test('says that a provider stands in place of a token', async () => {
    const { connection, remarks } = await parsed(`gms: {server: ${LOCAL}, auth: {type: oauth}}\noauth: {a: b}`);
    assert.deepEqual(connection, { baseUrl: LOCAL, otherBaseUrls: [], token: undefined, source: FILE, headers: {} });
    assert.deepEqual(remarks, [
      'The file names an authentication provider ("auth") instead of a token, so no token is imported.',
    ]);
  });

  test('names five headers that can’t be sent, each in one short line, and no value', async () => {
    const headers = ['"a\\e[31m\\n"', `"${'x'.repeat(500)}"`, 'Authorization', 'Host', 'X-RestLi-Method', 'Accept']
      .map((name) => `${name}: secret-value`)
      .join(', ');
    const text = `gms: {server: ${LOCAL}, extra_headers: {X-Key: 1, ${headers}}}`;
    const { connection, remarks } = await parsed(text);
    assert.deepEqual(connection.headers, { 'X-Key': '1' });
    assert.deepEqual(remarks, [
      `Some of its additional headers can't be sent: a [31m, ${'x'.repeat(39)}…, Authorization, Host, X-RestLi-Method and more.`,
    ]);
  });

  for (const [headers, remarks] of [
    ['X-Key', ["Its additional headers can't be read."]],
    ['[X-Key]', ["Its additional headers can't be read."]],
    ['{X-Key: {a: b}}', ["Some of its additional headers can't be sent: X-Key."]],
    ['{}', []],
    ['null', []],
  ] as const) {
    test(`says of additional headers: ${headers}`, async () => {
      const text = `gms: {server: ${LOCAL}, extra_headers: ${headers}}`;
      assert.deepEqual((await parsed(text)).remarks, remarks);
    });
  }

  for (const [value, isNamed] of [
    ...['true', '"true"', 'yes', '1', '[]'].map((one) => [one, true] as const),
    ...['false', '"False"', 'no', '0', 'null', '""'].map((one) => [one, false] as const),
  ]) {
    test(`${isNamed ? 'names' : "doesn't name"} disable_ssl_verification: ${value}`, async () => {
      const text = `gms: {server: ${LOCAL}, disable_ssl_verification: ${value}}`;
      assert.equal((await parsed(text)).remarks.length, Number(isNamed));
    });
  }

  test('gives the last of equal keys, as the command reads it', async () => {
    const text = `gms: {server: "https://first.example", server: ${LOCAL}}`;
    assert.equal((await parsed(text)).connection.baseUrl, LOCAL);
  });

  for (const [what, text, reason] of [
    ['an empty file', '', /the form that/],
    ['a list', '- a', /the form that/],
    ['a number as the token', `gms: {server: ${LOCAL}, token: 7}`, /the form that/],
    ['no server', 'gms: {token: secret-value}', /the form that/],
    ['broken YAML', 'gms: {token: secret-value', /isn't valid YAML/],
    ['a custom tag', `gms: {server: !!js/function secret-value}`, /isn't valid YAML/],
    ['deep nesting', '['.repeat(60_000), /isn't valid YAML/],
    ['another scheme', 'gms: {server: "file:///secret-value"}', /isn't a valid address/],
    ['a password in the address', 'gms: {server: "https://a:secret-value@b"}', /isn't a valid address/],
    ['no address', 'gms: {server: ""}', /isn't a valid address/],
  ] as const) {
    test(`is refused with one sentence that quotes nothing of it: ${what}`, async () => {
      await assert.rejects(
        parsed(text),
        (thrown) =>
          thrown instanceof ServiceFailure && reason.test(thrown.message) && !thrown.advice.includes('secret-value'),
      );
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

  test('is followed where it is a link, and its target is named', async (context) => {
    const inFolder = await folder(context);
    const target = join(inFolder, 'target');
    await writeFile(target, await written('1.7.0.17-init'));
    await symlink('target', join(inFolder, 'link'));
    await symlink('link', join(inFolder, 'link-to-link'));
    for (const name of ['link', 'link-to-link']) {
      const { connection, remarks } = await readCommandLineFile(join(inFolder, name));
      assert.deepEqual([connection.baseUrl, remarks], [LOCAL, [`~/.datahubenv is a link to ${target}.`]]);
    }
  });

  test('is refused if it is a link to a file of another user', async (context) => {
    if (process.getuid?.() !== 0) {
      // Only root can give a file away.
      context.skip('not root');
      return;
    }
    const inFolder = await folder(context);
    const [path, link] = [join(inFolder, 'file'), join(inFolder, 'link')];
    await writeFile(path, await written('1.7.0.17-init'));
    await symlink(path, link);
    await chown(path, 65_534, 65_534);
    await assert.rejects(readCommandLineFile(link), /must be a file that you own/);
    assert.equal((await readCommandLineFile(path)).connection.baseUrl, LOCAL);
  });

  test('is refused if it is missing, a folder, a link to none, or too large', async (context) => {
    const inFolder = await folder(context);
    const path = (name: string): string => join(inFolder, name);
    await mkdir(path('folder'));
    await symlink(path('folder'), path('link'));
    await symlink(path('none'), path('dangling'));
    await writeFile(path('large'), `#${' '.repeat(65_536)}`);
    for (const [name, reason] of [
      ['missing', /There is no ~\/\.datahubenv/],
      ['folder', /must be a file that you own/],
      ['link', /must be a file that you own/],
      ['dangling', /There is no ~\/\.datahubenv/],
      ['large', /too large/],
    ] as const) {
      await assert.rejects(
        readCommandLineFile(path(name)),
        (thrown) => thrown instanceof ServiceFailure && reason.test(thrown.message),
      );
    }
  });
});

async function folder(context: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'datahubenv-'));
  context.after(() => rm(path, { recursive: true }));
  return path;
}
