/** A change leaves the extension host once, through the `fetch` with which VS Code replaces that of Node.js. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { setTimeout as pause } from 'node:timers/promises';
import { lacksConsent } from '../../../src/connections/connection.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import { PLAN } from '../../unit/service/changes.ts';
import { ALWAYS, failureOf, serviceAt } from '../../unit/service/clients.ts';
import { rawServer, status } from '../../unit/service/rawServer.ts';
import { withAnotherProxy } from './support/fixtures.ts';
import { droppingProxy, proxyTo } from './support/proxy.ts';

suite('An execution through VS Code’s own fetch', () => {
  const closing: (() => void)[] = [];
  const context = { after: (close: () => void): void => void closing.push(close) };
  teardown(async () => {
    await vscode.workspace.getConfiguration().update('http.proxy', undefined, vscode.ConfigurationTarget.Global);
    for (const close of closing.splice(0)) {
      close();
    }
  });

  test('is read once by a server that answers 421, and states its length', async () => {
    assert.ok('__vscodePatchedFetch' in globalThis, 'VS Code did not replace fetch');
    const server = await rawServer(context, (socket) => socket.write(status(421)));
    const failure = await failureOf(serviceAt(server.url).indices.execute(PLAN, ALWAYS));
    assert.deepEqual([failure.status, failure.mayHaveActed], [421, true]);
    assert.equal(server.requests.length, 1);
    const [{ head, body } = { head: '', body: '' }] = server.requests;
    assert.match(head, new RegExp(`\r\ncontent-length: ${body.length}(?:\r\n|$)`));
    assert.doesNotMatch(head, /transfer-encoding/);
  });

  test('uses the proxy of the settings, once', async () => {
    const server = await rawServer(context, (socket) => socket.write(status(421)));
    const proxy = await proxyTo(context, Number(new URL(server.url).port));
    await vscode.workspace.getConfiguration().update('http.proxy', proxy.url, vscode.ConfigurationTarget.Global);
    // VS Code bypasses the proxy for hosts that need no consent. Only the proxy can resolve this name.
    const failure = await failureOf(serviceAt('http://datahub.example.test:8080').indices.execute(PLAN, ALWAYS));
    assert.deepEqual([failure.status, failure.mayHaveActed], [421, true], failure.message);
    assert.deepEqual(proxy.asked, ['CONNECT datahub.example.test:8080']);
    assert.equal(server.requests.length, 1);
    const [{ head, body } = { head: '', body: '' }] = server.requests;
    assert.match(head, new RegExp(`\r\ncontent-length: ${body.length}(?:\r\n|$)`));
    assert.doesNotMatch(head, /transfer-encoding/);
  });

  withAnotherProxy('is held back if its gate closes during a CONNECT of 2 s: no complete request arrives', async () => {
    const server = await rawServer(context, (socket) => socket.write(status(200)));
    let isOpen = true;
    let asked = 0;
    const proxy = await proxyTo(context, Number(new URL(server.url).port), async () => {
      await pause(1_000);
      isOpen = false;
      await pause(1_000);
    });
    await vscode.workspace.getConfiguration().update('http.proxy', proxy.url, vscode.ConfigurationTarget.Global);
    const gate = (): Promise<void> => {
      asked++;
      return isOpen ? Promise.resolve() : Promise.reject(new ServiceFailure('notSent', 'No.'));
    };
    const failure = await failureOf(serviceAt('http://datahub.example.test:8080').indices.execute(PLAN, gate));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['notSent', false], failure.message);
    assert.deepEqual([proxy.asked.length, asked, server.requests], [1, 2, []]);
  });

  withAnotherProxy('fails at a proxy that closes the connection, which is not asked again', async () => {
    const proxy = await droppingProxy(context);
    await vscode.workspace.getConfiguration().update('http.proxy', proxy.url, vscode.ConfigurationTarget.Global);
    const service = serviceAt('https://datahub.example.test');
    const failure = await failureOf(service.indices.execute(PLAN, ALWAYS));
    assert.deepEqual([failure.kind, failure.mayHaveActed, failure.transient], ['unreachable', false, false]);
    assert.match(failure.advice, /^The proxy blocked the request .* http\.proxy setting/);
    await failureOf(service.indices.execute(PLAN, ALWAYS));
    assert.equal(proxy.connections(), 2);
  });

  for (const host of [
    'localhost',
    '127.0.0.1',
    '[::1]',
    '127.0.0.2',
    '127.1.2.3',
    'localhost.',
    'datahub.example.test',
  ]) {
    const needsConsent = lacksConsent({ baseUrl: `http://${host}` });
    const visibility = needsConsent ? 'seen by a proxy, which the user agrees to' : 'not seen by a proxy';
    (needsConsent ? withAnotherProxy : test)(`to ${host} is ${visibility}`, async () => {
      const server = await rawServer(context, (socket) => socket.write(status(421)));
      const { port } = new URL(server.url);
      const proxy = await proxyTo(context, Number(port));
      await vscode.workspace.getConfiguration().update('http.proxy', proxy.url, vscode.ConfigurationTarget.Global);
      await failureOf(serviceAt(`http://${host}:${port}`).indices.execute(PLAN, ALWAYS));
      assert.equal(proxy.asked.length > 0, needsConsent, proxy.asked.join());
    });
  }

  test('is never passed to Chromium, because VS Code sends requests with manual redirects by Node.js', () => {
    const program = readFileSync(join(vscode.env.appRoot, 'out/vs/workbench/api/node/extensionHostProcess.js'), 'utf8');
    const name = String.raw`[\w$]+`;
    const [, isManual = ''] =
      new RegExp(String.raw`(?<![\w$])(${name})\s*=\s*${name}\(["']redirect["']\)\s*===\s*["']manual["']`).exec(
        program,
      ) ?? [];
    assert.notEqual(isManual, '', 'VS Code asks for redirects in another way');
    // `!useElectronFetch || … || isManualRedirect || …) { const response = await patchedFetch(input, init);`
    const choice = [
      ...program.matchAll(
        new RegExp(String.raw`!(${name}(?:\s*\|\|\s*${name})+)\)\s*\{\s*\w+\s+${name}\s*=\s*await\s`, 'g'),
      ),
    ].map(([, conditions = '']) => conditions.split(/\s*\|\|\s*/));
    assert.ok(
      choice.some((conditions) => conditions.slice(1).includes(isManual)),
      'VS Code no longer leaves manual redirects to Node.js',
    );
  });
});
