// Canaries for secrets and for names of the user: a run must print none of them.
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { rememberSecret } from '../../src/service/failure/secret.ts';
import type { RunningService } from '../service/main.ts';
import { serviceFor } from '../service/testClient.ts';
import { differs, words } from '../../tools/conformance/claim.ts';
import { CLAIMS } from '../../tools/conformance/claims.ts';
import { releaseText, report } from '../../tools/conformance/report.ts';
import { graphqlIn, rewritingProxy, type PassedReply, type PassedRequest } from './rewritingProxy.ts';
import { runConformance, type Run } from './running.ts';

/** Names of the local service, and their replacements. */
const CANARIES = {
  'urn:li:corpuser:admin': 'urn:li:corpuser:zq-canary-user',
  datasetusagestatistics: 'zqcanaryindex',
  'v1.7.1-SNAPSHOT': 'v1.7.1-zq.canary.company',
  '1.7.1-SNAPSHOT': '1.7.1.zqcanaryrelease',
  'datahub-gc': 'zq-canary-source',
} as const;

/** Replies of a server that repeats everything it was sent, in every form of error. */
const TALKATIVE: Readonly<Record<string, (said: string, isGraphQL: boolean) => PassedReply>> = {
  'repeats them as its own errors': (said, isGraphQL) => ({
    status: isGraphQL ? 200 : 500,
    body: JSON.stringify(
      isGraphQL
        ? { errors: [{ message: said, extensions: { code: 500, type: 'SERVER_ERROR' } }] }
        : { exceptionClass: 'com.linkedin.restli.server.RestLiServiceException', message: said, status: 500 },
    ),
  }),
  'repeats them as answers': (said, isGraphQL) => ({
    status: 200,
    body: JSON.stringify(isGraphQL ? { data: { [said]: said } } : { value: said }),
  }),
};

suite('The output of a run', () => {
  for (const [server, say] of Object.entries({ 'only answers': undefined, ...TALKATIVE }))
    test(`has no secrets, and names of the user only if they ask for them: a server that ${server}`, async (context) => {
      const { run, secrets, names } = await canaryRun(context, { say });
      assertWithout(run, [...secrets, ...names]);
      assert.equal(run.with('holds').length < 20, say !== undefined, run.printed);
      const named = await canaryRun(context, { say, names: true });
      assertWithout(named.run, named.secrets);
      assert.ok(named.run.printed.includes(named.baseUrl.replace('http://', '')));
      if (say === undefined) assert.match(named.run.printed, /zqcanaryindex: \d+ of 10023/);
    });

  test('is a table whose cells have no markup', async (context) => {
    const said =
      '| [x](https://evil.example) www.evil.example <img src=x> **bold** @someone #1 `code` \\| \u202E\u001B[31m\n| new row |';
    const { run } = await canaryRun(context, {
      names: true,
      say: () => ({ status: 400, body: JSON.stringify({ message: said }) }),
    });
    // GitHub links addresses, users and issues even if they are escaped. Only code is left alone.
    assert.match(run.printed, /evil\.example/);
    assert.doesNotMatch(run.printed.replaceAll(/`[^`\n]*`/g, ''), /evil\.example|\[x|<img|\*\*|@someone|#1|code/);
    assert.ok(!run.printed.includes('\u001B') && !run.printed.includes('\u202E'));
    const rows = run.printed.split('\n').filter((line) => line.startsWith('|'));
    for (const row of rows) assert.equal(row.split('|').length, 6, row);
  });

  test('has no secrets, wherever a detail comes from', () => {
    const secret = 'a-token-that-was-sent-or-created';
    rememberSecret(secret);
    const [claim = assert.fail()] = CLAIMS;
    const finding = differs(words('rows'), `an index named ${secret}, password=hunter2`);
    const server = { product: 'DataHub', version: undefined, entrance: 'direct' } as const;
    const text = report([{ claim, finding }], {
      version: '0.0.0',
      date: '2026-01-31',
      server,
      mostIndices: 25,
      names: { baseUrl: `http://${secret}`, caller: secret },
    });
    assert.match(text, /an index named/);
    assert.doesNotMatch(text, /that-was-sent|hunter2/);
  });

  test("has the release without a company's own suffix", () => {
    for (const [version, text] of [
      ['v1.7.0.1', 'v1.7.0.1'],
      ['v1.7.1-SNAPSHOT', 'v1.7.1-SNAPSHOT'],
      ['v0.15.0rc3', 'v0.15.0rc3'],
      ['v1.7.0-acme', 'v1.7.0-…'],
      ['1.7.0.acme', '1.7.0-…'],
      ['acme-5', '(custom build)'],
      [undefined, '(release unknown)'],
    ] as const)
      assert.equal(releaseText(version), text);
  });
});

interface CanaryRun {
  readonly run: Run;
  readonly baseUrl: string;
  /** Must never be printed. */
  readonly secrets: readonly string[];
  /** Printed only if the user asks for it. */
  readonly names: readonly string[];
}

interface CanaryOptions {
  readonly names?: boolean;
  readonly say?: ((said: string, isGraphQL: boolean) => PassedReply) | undefined;
}

async function canaryRun(context: TestContext, { names = false, say }: CanaryOptions): Promise<CanaryRun> {
  // Unusual counts of rows, easy to recognize.
  const service = await serviceFor(context, { rows: 37_123, tokens: 12, lagMillis: 0 });
  const created: string[] = [];
  const baseUrl = await rewritingProxy(context, service.url, {
    request: ({ path, body }) => ({ path: swapped(path, 'back'), body: swapped(body, 'back') }),
    reply: (request, reply) => {
      const [token] = isCreation(request) ? (/eyJ[\w.-]+/.exec(reply.body) ?? []) : [];
      created.push(...(token === undefined ? [] : [token]));
      // Unchanged: the server has to identify the user, and the token has to be revoked.
      const isNeeded = /generatePersonalAccessTokens|mutation |listAccessTokens/.test(graphqlIn(request).query);
      return say !== undefined && request.path !== '/config' && !isNeeded
        ? say(saidOf(request, created), request.path.includes('graphql'))
        : { body: swapped(reply.body, 'forth') };
    },
  });
  const run = await runConformance(service, { baseUrl, names });
  assert.equal(created.length, 1);
  return {
    run,
    baseUrl,
    secrets: [service.adminToken, ...created].flatMap((token) => [token].concat(token.split('.'))),
    names: [...namesOf(service), new URL(baseUrl).host, '127.0.0.1', 'localhost', 'canary', 'zq'],
  };
}

/** Everything that a server knows about the user. */
function saidOf({ headers, path, body }: PassedRequest, created: readonly string[]): string {
  const token = headers.authorization ?? '';
  const encoded = Buffer.from(token).toString('base64');
  return `${token} ${encoded} ${created.join(' ')} ${String(headers.host)} ${path} ${body} zq-canary-text`;
}

/** Tokens by name and ID, users, indices and row counts. */
function namesOf(service: RunningService): string[] {
  const targets = [
    ['dataset', 'datasetusagestatistics'],
    ['dataset', 'operation'],
    ['chart', 'chartusagestatistics'],
  ] as const;
  return [
    ...service.tokens().flatMap(({ id, name, actorUrn }) => [id, name, actorUrn]),
    ...targets.flatMap(([entity, aspect]) => [
      `${entity}_${aspect}`,
      `${entity}/${aspect}`,
      String(service.rows(entity, aspect).count),
    ]),
    ...service.requests.flatMap(({ body }) => /conformance-[0-9a-f]{12}/.exec(body)?.[0] ?? []),
  ];
}

function isCreation(request: PassedRequest): boolean {
  return graphqlIn(request).query.includes('mutation createAccessToken');
}

function swapped(text: string, way: 'forth' | 'back'): string {
  const pairs = Object.entries(CANARIES);
  return pairs.reduce(
    (whole, [own, canary]) => (way === 'forth' ? whole.replaceAll(own, canary) : whole.replaceAll(canary, own)),
    text,
  );
}

function assertWithout({ printed, told }: Run, canaries: readonly string[]): void {
  const whole = [printed, ...told].join('\n');
  assert.deepEqual(
    canaries.filter((canary) => whole.includes(canary)),
    [],
    whole,
  );
}
