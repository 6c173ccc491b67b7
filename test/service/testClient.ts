import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parseJson } from '../../tools/json.ts';
import { startService, type RunningService } from './main.ts';
import type { ServiceOptions } from './options.ts';
import { actorHeader, profiles, type OperationName } from './profiles.ts';
import type { UserName } from './users.ts';

/** A response as it arrived. `body` is undefined without JSON. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

/** Sends requests to a service as a user, by plain fetch, optionally through its front. */
export class TestClient {
  readonly #base: string;
  readonly #graphqlPath: string;
  readonly #operationsPath: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(service: RunningService, user: UserName | { readonly token: string }, by: 'direct' | 'front' = 'direct') {
    const profile = profiles[service.profile];
    const isFront = by === 'front';
    this.#base = isFront ? service.frontUrl : service.url;
    this.#graphqlPath = isFront && profile.frontProxy ? '/api/v2/graphql' : '/api/graphql';
    this.#operationsPath = isFront ? '/api/gms/operations' : (profile.operationPaths[0] ?? '');
    const { urn, token } = typeof user === 'string' ? service.users[user] : { urn: '', token: user.token };
    this.#headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(profile.authentication || urn === '' ? {} : { [actorHeader(profile)]: urn }),
    };
  }

  graphql(query: string, variables: object = {}): Promise<ServiceResponse> {
    return this.send('POST', this.#graphqlPath, JSON.stringify({ query, variables }));
  }

  operation(action: OperationName, parameters?: object): Promise<ServiceResponse> {
    const body = parameters === undefined ? undefined : JSON.stringify(parameters);
    return this.send('POST', `${this.#operationsPath}?action=${action}`, body);
  }

  async send(
    method: string,
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ServiceResponse> {
    const response = await fetch(this.#base + path, {
      method,
      headers: { ...this.#headers, ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parseJson(text) };
  }
}

/** A small service, closed when the test ends. */
export async function serviceFor(context: TestContext, options: ServiceOptions): Promise<RunningService> {
  const service = await startService({ tokens: 0, rows: 16, ...options });
  context.after(() => service.close());
  return service;
}

/** Value at a path in a parsed document. */
export function dig(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((current, step) => {
    assert.ok(
      typeof current === 'object' && current !== null,
      `nothing at ${String(step)} of ${JSON.stringify(value)}`,
    );
    return (current as Record<string | number, unknown>)[step];
  }, value);
}

/** Waits until a condition holds. Fails after half a minute: a busy machine takes its time. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    // Polling is sequential by nature.
    if (await condition()) {
      return;
    }
    assert.ok(performance.now() < deadline, `did not come about: ${what}`);
    await delay(5);
  }
}
