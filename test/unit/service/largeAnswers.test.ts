/** The largest response that each operation reads, and how long a deliberately slow one blocks the host. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { systemNetwork, type NetworkAccess } from '../../../src/service/http/network.ts';
import type { MetadataService } from '../../../src/service/service.ts';
import { CHANGES, OWN, PLAN } from './changes.ts';
import { failureOf, serviceAt } from './clients.ts';

const MEGABYTE = 1024 * 1024;
const LISTINGS: Readonly<Record<string, (service: MetadataService) => Promise<unknown>>> = {
  sizes: ({ indices }) => indices.listIndexSizes(),
  tokens: ({ tokens }) => tokens.list({ scope: { kind: 'all' }, filters: [], start: 0, count: 10 }),
  'own tokens': ({ tokens }) => tokens.list(OWN),
};
const OTHERS: Readonly<Record<string, (service: MetadataService) => Promise<unknown>>> = {
  'a dry run': ({ indices }) => indices.dryRun(PLAN),
  'a task': ({ tasks }) => tasks.readTaskStatus('node:1'),
  'information about the caller': (service) => service.server.fact('caller'),
  ...Object.fromEntries(CHANGES.map(({ what, make }) => [what.toLowerCase(), make])),
};

function answering(text: string, status = 200): MetadataService {
  const network: NetworkAccess = { ...systemNetwork, fetch: () => Promise.resolve(new Response(text, { status })) };
  return serviceAt('https://datahub.example.com', { network });
}

suite('A response of more than 1 MB', () => {
  const text = JSON.stringify({ value: 'x'.repeat(MEGABYTE) });

  for (const [what, ask] of Object.entries(OTHERS)) {
    test(`is not read for ${what}`, async () => {
      assert.equal((await failureOf(ask(answering(text)))).kind, 'tooLarge');
    });
  }

  for (const [what, ask] of Object.entries(LISTINGS)) {
    test(`is read for a list of ${what}, but not if it exceeds 16 MB`, async () => {
      assert.equal((await failureOf(ask(answering(text)))).kind, 'unexpectedAnswer');
      const failure = await failureOf(ask(answering(text.repeat(17))));
      assert.deepEqual([failure.kind, /16 MB/.test(failure.message)], ['tooLarge', true]);
    });
  }
});

const size = 16 * MEGABYTE - 100;
const SLOW: Readonly<Record<string, string>> = {
  'nested arrays': '['.repeat(size / 2) + ']'.repeat(size / 2),
  'nested arrays without an end': '['.repeat(size),
  'nested objects': `${'{"value":'.repeat(size / 10)}1${'}'.repeat(size / 10)}`,
  'nested arrays in a result': `{"value":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`,
  'nested arrays in a text of a result': JSON.stringify({ value: '['.repeat(size / 2) + ']'.repeat(size / 2 - 20) }),
};

for (const [what, text] of Object.entries(SLOW)) {
  for (const status of [200, 400, 500]) {
    test(`16 MB of ${what} with status ${status} are refused within seconds`, async () => {
      const before = process.cpuUsage().user;
      await failureOf(LISTINGS['sizes']?.(answering(text, status)) ?? Promise.resolve());
      const seconds = (process.cpuUsage().user - before) / 1_000_000;
      assert.ok(seconds < 2.5, `${seconds} s`);
    });
  }
}
