import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { readProcesses } from '../../job/processes.ts';
import { PLAN } from '../service/changes.ts';
import { wireServer } from '../service/wireServer.ts';
import { percentDecoded } from './percentDecoded.ts';
import '../ui/window.ts';
import { checkBaseUrl } from '../../../src/service/http/baseUrl.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';

const { dryRunAsCurl } = await import('../../../src/integrations/copyRequest.ts');
const NO_CURL =
  (process.platform !== 'linux' && 'only Linux shows the arguments of other processes as files') ||
  (spawnSync('curl', ['--version']).error !== undefined && 'curl is not on this machine');
const BASE = 'https://datahub.example.com';
const PATH = '/api/gms/operations';

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,20}$/);
/** Characters that some shell interprets; PowerShell takes the last ones for quotes. */
const quotes = fc.constantFrom("'", '"', '\\', "'\\''", '\u2019;calc;\u2019', '\u201B');
const expansions = fc.constantFrom(
  '$(exit 7)',
  '`id`',
  '$ACCESS_TOKEN',
  '!',
  ';',
  '&',
  '&calc',
  '|',
  '*',
  '%PATH%',
  '^',
);
const dangerous = fc.oneof(quotes, expansions, fc.constantFrom('\n', ' x', 'é'));
/** As `checkBaseUrl` accepts it: URL keeps most of these in a path. */
const address = fc
  .array(fc.oneof(dangerous, name), { maxLength: 6 })
  .map((parts) => checkBaseUrl(`https://datahub.example.com/${parts.join('')}`))
  .filter((checked) => 'baseUrl' in checked)
  .map(({ baseUrl }) => baseUrl);
const TOKEN = 'a $(token) of `whoever` "runs" it';

/** Standard input of `curl` and its arguments. */
function received(line: string): string[] {
  // A function in place of cURL that prints them, each ended by a byte that none contains.
  const script = [String.raw`curl() { printf '%s\0' "$(cat)" "$@"; }`, line].join('\n');
  const written = execFileSync('/bin/sh', ['-c', script], { env: { ACCESS_TOKEN: TOKEN }, encoding: 'utf8' });
  return written.split('\0').slice(0, -1);
}

suite('A dry run as a command line', { skip: process.platform === 'win32' && 'written for a POSIX shell' }, () => {
  test('reaches curl as a dry run of the whole plan, with a token that a shell could interpret', () => {
    const { entityType, aspect, endTimeMillis, batchSize } = PLAN;
    for (const [change, more] of [
      [{ timeoutSeconds: 60 }, { timeoutSeconds: 60 }],
      [{ strategy: 'deleteByQuery' }, { forceDeleteByQuery: true }],
      [{ strategy: 'reindex' }, { forceReindex: true }],
    ] as const) {
      const command = received(dryRunAsCurl(BASE, PATH, { ...PLAN, ...change }));
      const url = `${BASE}${PATH}?action=truncateTimeseriesAspect`;
      assert.deepEqual([command[0], command[6]], [`Authorization: Bearer ${TOKEN}`, url]);
      const body: unknown = JSON.parse(command.at(-1) ?? '');
      assert.deepEqual(body, { entityType, aspect, endTimeMillis, dryRun: true, batchSize, ...more });
    }
  });

  test('is one request: cURL expands no brackets in the path, and those of the host stay', () => {
    const { baseUrl } = checkBaseUrl('http://[::1]:8080/team[1-3]') as { readonly baseUrl: string };
    assert.match(
      dryRunAsCurl(baseUrl, PATH, PLAN),
      /POST 'http:\/\/\[::1\]:8080\/team%5B1-3%5D\/api\/gms\/operations\?/,
    );
  });

  test('has nothing that a POSIX shell, PowerShell or cmd interprets, except the token and its quotes, for any address and names', () => {
    const harmless = [
      String.raw`echo "Authorization: Bearer \$ACCESS_TOKEN" \| curl -q --header @- \\`,
      String.raw`  --request POST '([\w.~:/%?=[\]-]+)' \\`,
      String.raw`  --header 'Content-Type: application/json' \\`,
      String.raw`  --data '([{}\w.",:-]+)'`,
    ];
    fc.assert(
      fc.property(address, name, name, (base, entityType, aspect) => {
        const line = dryRunAsCurl(base, PATH, { ...PLAN, entityType, aspect });
        const [, url = '', body = '{}'] = new RegExp(`^${harmless.join('\n')}$`).exec(line) ?? assert.fail(line);
        // The path is the same, percent-encoded or not.
        assert.equal(percentDecoded(url), percentDecoded(`${base}${PATH}?action=truncateTimeseriesAspect`));
        assert.partialDeepStrictEqual(JSON.parse(body), { entityType, aspect, dryRun: true });
      }),
    );
  });

  test('is refused for an invalid name, with the reason', () => {
    const hostile = fc.oneof(
      dangerous.map((part) => `dataset${part}`),
      dangerous.map((part) => `${part}dataset`),
      fc.constantFrom('', '*', '1a', 'datasets/x'),
    );
    fc.assert(
      fc.property(hostile, name, fc.boolean(), (odd, good, isAspect) => {
        fc.pre(!/^[A-Za-z][\w.-]*$/.test(odd.trim()));
        const names = isAspect ? { entityType: good, aspect: odd } : { entityType: odd, aspect: good };
        assert.throws(
          () => dryRunAsCurl(BASE, PATH, { ...PLAN, ...names }),
          (thrown) => {
            assert.ok(thrown instanceof ServiceFailure && thrown.kind === 'badRequest');
            assert.match(
              thrown.advice,
              /can't be copied as a command line\. (?:Names start with a letter|Enter a value)/,
            );
            return true;
          },
        );
      }),
    );
  });

  test(
    'names the token in no argument, and sends it to this machine without a proxy',
    { skip: NO_CURL },
    async (context) => {
      const token = 'eyJhbGciOiJIUzI1NiJ9.a-token-of-this-test.signature';
      const home = await mkdtemp(join(tmpdir(), 'curl-'));
      context.after(() => rm(home, { recursive: true }));
      await writeFile(join(home, '.curlrc'), 'header = "X-From-Settings: yes"\n');
      const { url, requests } = await wireServer(context, async (_request, response) => {
        const processes = await readProcesses();
        response.end(String(processes.filter(({ words }) => words.includes(token)).length));
      });
      const env = {
        PATH: process.env['PATH'],
        HOME: home,
        ACCESS_TOKEN: token,
        http_proxy: 'http://127.0.0.1:9',
        no_proxy: 'x.test',
      };
      const command = dryRunAsCurl(url, PATH, PLAN);
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], { env });
      const sent = requests.map(({ headers }) => [headers.authorization, headers['x-from-settings']]);
      assert.deepEqual([stdout, sent], ['0', [[`Bearer ${token}`, undefined]]]);
    },
  );

  test('keeps any service of this machine from a proxy, and no other', () => {
    const option = (base: string): string | undefined => /--noproxy (\S+)/.exec(dryRunAsCurl(base, PATH, PLAN))?.[1];
    const bases = [
      'http://localhost:8080',
      'http://127.0.0.1',
      'https://[::1]:8080/x',
      BASE,
      'http://localhost.example.com',
    ];
    assert.deepEqual(bases.map(option), ['localhost', '127.0.0.1', '::1', undefined, undefined]);
  });
});
