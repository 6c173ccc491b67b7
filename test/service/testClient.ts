import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parseJson } from '../../tools/json.ts';
import { startService, type RunningService } from './main.ts';
import type { ServiceOptions } from './options.ts';
import { actorHeader, profiles, type OperationName } from './profiles.ts';

/** A response as it arrived. `body` is undefined without JSON. */
export interface ServiceResponse {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
}

/** Calls an operation as the administrator, by plain fetch. */
export async function callOperation(
  { profile, url, users }: RunningService,
  action: OperationName,
  parameters: object = {},
): Promise<ServiceResponse> {
  const { operationPaths, authentication } = profiles[profile];
  const { urn, token } = users.admin;
  const response = await fetch(`${url}${operationPaths[0]}?action=${action}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(authentication ? {} : { [actorHeader(profiles[profile])]: urn }),
    },
    body: JSON.stringify(parameters),
  });
  const text = await response.text();
  return { status: response.status, text, body: parseJson(text) };
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
