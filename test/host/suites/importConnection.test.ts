import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import {
  ADDRESS,
  FORM,
  SAVE,
  TOKEN,
  connectionAs,
  formLabels,
  saveConnection,
  tokenOf,
} from './support/connections.ts';
import { currentActivation } from './support/extension.ts';
import { personAt } from './support/fixtures.ts';

const IMPORT = /Import from ~\/\.datahubenv/;
const QUESTION = /^Import the connection to .* from ~\/\.datahubenv\?$/;

suite("Importing from the command line's file", () => {
  const service = hostService();
  const realHome = process.env['HOME'];
  let home = '';
  suiteSetup(async () => {
    home = await mkdtemp(join(tmpdir(), 'home-'));
    process.env['HOME'] = process.env['USERPROFILE'] = home;
  });
  const person = personAt(service);
  teardown(async () => {
    for (const name of ['DATAHUB_GMS_URL', 'DATAHUB_GMS_TOKEN']) {
      delete process.env[name];
    }
    await rm(file(), { force: true });
  });
  suiteTeardown(async () => {
    process.env['HOME'] = realHome;
    await rm(home, { recursive: true });
  });

  test('takes server and token as if they were typed, and leaves the file as it is', async () => {
    const text = await write(`gms: {server: "${service.url}", token: "${tokenOf(service, 'admin')}"}`);
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    const asked = await accepts();
    const labels = await formLabels(person, SAVE);
    const shown = JSON.stringify([asked, await person.offered(FORM, SAVE)]);
    assert.doesNotMatch(shown, new RegExp(tokenOf(service, 'admin')));
    assert.ok(labels.includes('Access token: from ~/.datahubenv'), labels.join('\n'));
    assert.ok(labels.includes('This connection will sign in as admin'), labels.join('\n'));
    assert.deepEqual(await callService(service, 'requests'), [], 'something was sent before the user saves it');
    await person.picks(FORM, SAVE);
    await added;
    const [saved] = currentActivation().store.all();
    assert.deepEqual([saved?.baseUrl, saved?.actorUrn], [service.url, 'urn:li:corpuser:admin']);
    assert.equal(sourceOf(saved), 'commandLineFile');
    assert.equal(await readFile(file(), 'utf8'), text);
    assert.doesNotMatch(JSON.stringify(currentActivation().store.all()), new RegExp(tokenOf(service, 'admin')));
  });

  test('is not offered by an edit', async () => {
    await write(`gms: {server: "${service.url}"}`);
    await saveConnection(connectionAs(service, 'admin', 'Edited'));
    const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit);
    await person.picks(FORM, /Address: /);
    await person.filters(ADDRESS, '');
    const offered = (await person.offered(ADDRESS, /Type or paste the address/)).map(({ label }) => label);
    assert.ok(!offered.some((label) => IMPORT.test(label)), offered.join('\n'));
    await person.leaves(ADDRESS);
    await person.leaves(FORM);
    await edited;
  });

  test('takes an address without a token, which is asked for, and the headers', async () => {
    await write(`gms: {server: "${service.url}", extra_headers: {X-Key: secret-value}}`);
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    assert.ok((await accepts()).startsWith(`Its address will be imported: ${service.url}`));
    await person.types(TOKEN, tokenOf(service, 'operator'));
    await person.offered(FORM, 'Additional headers: X-Key');
    await person.picks(FORM, SAVE);
    await added;
    const requests = await callService(service, 'requests');
    // Those of the connection before may arrive late.
    const own = new Set([undefined, `Bearer ${tokenOf(service, 'operator')}`]);
    const sent = requests.filter(({ headers }) => own.has(headers.authorization));
    assert.deepEqual(new Set(sent.map(({ headers }) => headers['x-key'])), new Set(['secret-value']));
  });

  test('takes nothing before a question that names what is taken and what is not followed, and never a value', async () => {
    await write(`gms: {server: "${service.url}", extra_headers: {X-Key: secret-value}, ca_certificate_path: a}`);
    // No other extension can name another file.
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd, file(), { path: file() });
    const picked = person.picks(ADDRESS, IMPORT);
    const { detail } = await person.answers(QUESTION);
    assert.ok(detail.includes(`Its address will be imported: ${service.url}`), detail);
    assert.match(detail, /headers will be imported: X-Key\.[^]*The certificates it names aren't used\./);
    assert.doesNotMatch(detail, /secret-value/);
    assert.deepEqual(await callService(service, 'requests'), []);
    await Promise.all([picked, person.leaves(ADDRESS)]);
    await added;
  });

  test('says at the address why nothing can be imported', async () => {
    await write('gms: {token: secret-value');
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.tries(ADDRESS, IMPORT, "Can't import");
    const labels = (await person.offered(ADDRESS, /isn't a valid configuration file/)).map(({ label }) => label);
    assert.doesNotMatch(labels.join(), /secret-value/);
    await person.leaves(ADDRESS);
    await added;
  });

  test('is not offered without a file', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    const labels = (await person.offered(ADDRESS, /Type or paste the address/)).map(({ label }) => label);
    assert.ok(!labels.some((label) => IMPORT.test(label)), labels.join('\n'));
    await person.leaves(ADDRESS);
    await added;
  });

  test("offers server and token of the environment like the file's", async () => {
    process.env['DATAHUB_GMS_URL'] = service.url;
    process.env['DATAHUB_GMS_TOKEN'] = tokenOf(service, 'admin');
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    const picked = person.picks(ADDRESS, /Import from DATAHUB_GMS_URL/);
    const { detail } = await person.answers(/^Import the connection to .* from DATAHUB_GMS_URL\?$/, 'Import');
    assert.ok(detail.includes(`Its address (${service.url}) and its access token will be imported.`), detail);
    await picked;
    await person.picks(FORM, SAVE);
    await added;
    const [saved] = currentActivation().store.all();
    assert.equal(saved?.baseUrl, service.url);
    assert.equal(sourceOf(saved), 'commandLineEnvironment');
  });

  async function accepts(): Promise<string> {
    const picked = person.picks(ADDRESS, IMPORT);
    const { detail } = await person.answers(QUESTION, 'Import');
    await picked;
    return detail;
  }

  function file(): string {
    return join(home, '.datahubenv');
  }

  async function write(text: string): Promise<string> {
    await writeFile(file(), text);
    return text;
  }

  function sourceOf(connection: { readonly id: string } | undefined): unknown {
    return currentActivation().store.get(connection?.id ?? '')?.signIn?.source;
  }
});
