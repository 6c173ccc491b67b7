import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { suite, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serviceFor, until } from '../service/testClient.ts';
import { conformanceOptions, TOKEN_VARIABLE, UsageError } from '../../tools/conformance/options.ts';
import { ownTokens, SMALL } from './running.ts';

const PROGRAM = fileURLToPath(new URL('../../tools/conformance/main.ts', import.meta.url));
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0eXBlZCJ9.dHlwZWQtd2hlcmUtaXQtZG9lcy1ub3QtYmVsb25n';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  end(): Promise<Ended>;
}

/**
 * @param token in the environment
 * @param input on standard input
 */
function start(
  context: TestContext,
  args: readonly string[],
  { token, input = '' }: { readonly token?: string; readonly input?: string } = {},
): Started {
  const child = spawn(execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, ...args], {
    env: { ...process.env, ...(token === undefined ? {} : { [TOKEN_VARIABLE]: token }) },
  });
  context.after(() => child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return {
    child,
    end: async () => {
      const [[code], stdout, stderr] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
      return { code: code as number | null, stdout, stderr };
    },
  };
}

suite('The command', { concurrency: 3 }, () => {
  test('prints the table, reports its progress separately, and ends with 0', async (context) => {
    const service = await serviceFor(context, SMALL);
    const { code, stdout, stderr } = await start(context, ['--url', service.url], { token: service.adminToken }).end();
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^DataHub v[^\n]+\n\n\| claim \| expected \| seen \| result \|\n/);
    assert.match(stdout, /\n\n40 hold, 0 differ, 0 not permitted, 0 not asked\.\n$/);
    const lines = stderr.trim().split('\n');
    assert.ok(
      lines.every((line) => /^(?:holds|not asked): /.test(line)),
      stderr,
    );
    assert.ok(!(stdout + stderr).includes(service.adminToken));
  });

  test('takes the token from standard input as well', async (context) => {
    const service = await serviceFor(context, SMALL);
    const args = ['--url', service.url, '--read-only'];
    const { code, stdout, stderr } = await start(context, args, { input: `${service.adminToken}\n` }).end();
    assert.equal(code, 0, stderr);
    assert.match(stdout, /left out by --read-only/);
  });

  test('aborts the running request when interrupted, revokes the token and prints the table', async (context) => {
    const service = await serviceFor(context, SMALL);
    service.faults.add({ fault: { kind: 'latency', millis: 300_000 }, match: 'getIndexSizes', times: 'always' });
    const run = start(context, ['--url', service.url], { token: service.adminToken });
    const end = run.end();
    await until('it waits for sizes', () => service.requests.some(({ path }) => path.includes('getIndexSizes')));
    run.child.kill('SIGINT');
    run.child.kill('SIGINT');
    const { code, stdout, stderr } = await end;
    assert.equal(code, 130, stderr);
    assert.match(stdout, /\| `true` \| holds \|\n/);
    assert.match(stdout, /the run was stopped \| not asked \|\n/);
    assert.deepEqual(ownTokens(service), []);
  });

  test('revokes the token even if its output is closed', async (context) => {
    const service = await serviceFor(context, SMALL);
    const { child } = start(context, ['--url', service.url], { token: service.adminToken });
    child.stderr.on('data', (told: Buffer) => {
      if (told.includes('A token is created')) {
        child.stdout.destroy();
        child.stderr.destroy();
      }
    });
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 130);
    assert.ok(service.requests.some(({ body }) => body.includes('mutation createAccessToken')));
    assert.deepEqual(ownTokens(service), []);
  });

  test('ends with 2 if the server is unreachable, rejects the token, or hides who asks', async (context) => {
    const service = await serviceFor(context, SMALL);
    const open = await serviceFor(context, { ...SMALL, profile: '0.14' });
    const spec = await serviceFor(context, { ...SMALL, profile: 'spec' });
    for (const [url, token, sentence] of [
      ['http://127.0.0.1:1', TOKEN, /^The server can't be asked: Can't reach host\. [A-Z]/],
      [service.url, TOKEN, /^The server can't be asked: Token rejected \(401\)\./],
      [open.url, TOKEN, /^This server doesn't check access tokens\. Name the user with --actor\./],
      [spec.url, spec.adminToken, /^This server doesn't say who is asking\. Name the user with --actor\./],
    ] as const) {
      const { code, stdout, stderr } = await start(context, ['--url', url], { token }).end();
      assert.match(stderr, sentence);
      assert.deepEqual([code, stdout], [2, '']);
      assert.ok(!stderr.includes(token));
    }
  });

  test('explains its usage, and never repeats typed values', async (context) => {
    for (const args of [[], ['--url', 'http://localhost:1', TOKEN], [`--token=${TOKEN}`]]) {
      const { code, stdout, stderr } = await start(context, args, { token: TOKEN }).end();
      assert.match(stderr, /\n\nnpm run --silent conformance -- --url URL/);
      assert.deepEqual([code, stdout], [2, '']);
      assert.ok(!stderr.includes(TOKEN), stderr);
    }
    const { code, stdout } = await start(context, ['--help']).end();
    assert.match(stdout, /^npm run --silent conformance -- --url URL/);
    assert.equal(code, 0);
    const without = await start(context, ['--url', 'http://localhost:1']).end();
    assert.match(without.stderr, new RegExp(`^There is no access token in ${TOKEN_VARIABLE}`, 'm'));
  });
});

suite('Options', () => {
  test('name no service of this machine that Node.js would reach by a proxy', () => {
    const proxied = { NODE_USE_ENV_PROXY: '1', http_proxy: 'http://proxy.test:3128' };
    const isTaken = (url: string, environment: NodeJS.ProcessEnv): boolean => {
      try {
        return conformanceOptions(['--url', url], environment) !== undefined;
      } catch (error) {
        assert.ok(error instanceof UsageError);
        assert.match(
          error.message,
          /^The token would be sent to a proxy without encryption\. Add \S+ to (?:NO_PROXY|no_proxy)\.$/,
        );
        return false;
      }
    };
    for (const url of ['http://localhost:8080', 'http://[::1]:8080']) {
      const { hostname } = new URL(url);
      assert.equal(isTaken(url, proxied), false);
      assert.equal(isTaken(url, { ...proxied, NO_PROXY: `corp.internal, ${hostname}` }), true);
      assert.equal(isTaken(url, { ...proxied, no_proxy: '', NO_PROXY: hostname }), false);
      assert.equal(isTaken(url, { NODE_OPTIONS: '--use-env-proxy', HTTP_PROXY: 'http://proxy.test' }), false);
      assert.equal(isTaken(url, { http_proxy: 'http://proxy.test:3128' }), true);
    }
    assert.equal(isTaken('https://localhost:8080', proxied), true);
  });

  test('allow plain HTTP to another machine only on request', () => {
    const args = ['--url', 'http://host.example:8080'];
    assert.throws(() => conformanceOptions(args), UsageError);
    assert.equal(conformanceOptions([...args, '--plain-http'])?.baseUrl, 'http://host.example:8080');
  });

  test('are checked before anything is sent', () => {
    for (const args of [
      ['--url', 'ftp://host.example'],
      ['--url', 'https://host.example', '--actor', 'urn:li:corpGroup:x'],
      ['--url', 'https://host.example', '--actor', TOKEN],
      ['--url', 'https://host.example', '--product', 'A b'],
      ['--url'],
    ])
      assert.throws(
        () => conformanceOptions(args),
        (error) => error instanceof UsageError && !error.message.includes(TOKEN),
      );
  });
});
