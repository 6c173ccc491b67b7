// Set-up shared by the tests of this folder.
import type { TestContext } from 'node:test';
import { systemNetwork } from '../../src/service/http/network.ts';
import { MetadataService } from '../../src/service/service.ts';
import { conformance } from '../../tools/conformance/conformance.ts';
import type { ConformanceOptions } from '../../tools/conformance/options.ts';
import type { RunningService } from '../service/main.ts';
import type { ServiceOptions } from '../service/options.ts';
import type { UserName } from '../service/users.ts';
import { CLAIMS } from '../../tools/conformance/claims.ts';
import { guardRequests, type RequestGuard } from '../../tools/conformance/guard.ts';

/** A small service. */
export const SMALL: ServiceOptions = { rows: 1000, tokens: 12, lagMillis: 0 };

/** A run and its output. */
export interface Run {
  readonly exitCode: number;
  readonly printed: string;
  readonly told: readonly string[];
  /** Results by claim ID. */
  readonly results: Readonly<Record<string, string>>;
  /** IDs of the claims with this result. */
  with(result: string): string[];
}

interface RunOptions extends Partial<ConformanceOptions> {
  readonly user?: UserName;
  readonly signal?: AbortSignal;
}

/** Runs the conformance command without pauses. */
export async function runConformance(service: RunningService, options: RunOptions = {}): Promise<Run> {
  const { user = 'admin', signal = new AbortController().signal, ...rest } = options;
  const { urn, token } = service.users[user];
  let printed = '';
  const told: string[] = [];
  const exitCode = await conformance(
    {
      baseUrl: service.url,
      // Needed if the server doesn't identify the caller.
      actorUrn: service.profile === 'spec' || service.profile === '0.14' ? urn : undefined,
      product: undefined,
      readOnly: false,
      mostIndices: 25,
      names: false,
      ...rest,
    },
    token,
    {
      version: '0.0.0',
      signal,
      print: (text) => (printed += text),
      tell: (line) => told.push(line),
      show: undefined,
      pause: () => Promise.resolve(),
    },
  );
  const results = resultsIn(printed);
  return {
    exitCode,
    printed,
    told,
    results,
    with: (result) => Object.keys(results).filter((id) => results[id] === result),
  };
}

function resultsIn(table: string): Record<string, string> {
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  return Object.fromEntries(
    CLAIMS.flatMap(({ id, sentence }) => {
      const row = rows.find((line) => line.startsWith(`| ${sentence} |`));
      return row === undefined ? [] : [[id, row.split(' | ').at(-1)?.replace(/ \|$/, '') ?? '']];
    }),
  );
}

/** Names of tokens that runs have created on the server. */
export function ownTokens(service: RunningService): string[] {
  return service
    .tokens()
    .map(({ name }) => name)
    .filter((name) => name.startsWith('conformance-'));
}

/** The administrator's client, only allowed to create the token "mine". */
export function guardedClient(
  context: TestContext,
  service: RunningService,
  timeoutMillis = 20_000,
): { readonly client: MetadataService; readonly guard: RequestGuard } {
  const { urn, token } = service.users.admin;
  const guard = guardRequests({ name: 'mine', actorUrn: urn }, systemNetwork.fetch);
  const client = new MetadataService({
    baseUrl: service.url,
    actorUrn: urn,
    product: undefined,
    readSecrets: () => Promise.resolve({ token }),
    timeoutMillis: () => timeoutMillis,
    network: { ...systemNetwork, fetch: guard.fetch },
  });
  context.after(() => client.close());
  return { client, guard };
}
