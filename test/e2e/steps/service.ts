import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { TimeRow } from '../harness/rowDatabase.ts';
import type { RunningService } from '../../service/main.ts';
import type { LoggedRequest } from '../../service/requestLog.ts';

/** True if a server accepts a token in a plain request, without the extension. */
export async function tokenIsAccepted(baseUrl: string, token: string): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/api/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: '{ __typename }', variables: {} }),
  });
  return answer.ok;
}

/** Number of requests with this text in path or body. */
export function requestCount(service: RunningService, part: string): number {
  return service.requests.filter(({ path, body }) => path.includes(part) || body.includes(part)).length;
}

/** Truncations that were sent, except for dry runs. */
export function executeRequests(service: RunningService): LoggedRequest[] {
  return truncateRequests(service).filter(({ body }) => body.includes('"dryRun":false'));
}

/** Dry runs that were sent. */
export function dryRunRequests(service: RunningService): LoggedRequest[] {
  return truncateRequests(service).filter(({ body }) => !body.includes('"dryRun":false'));
}

/** Cutoff of a truncation or dry run: Unix time in ms. */
export function cutoffOf(request: LoggedRequest | undefined): number {
  return (JSON.parse(request?.body ?? '{}') as { endTimeMillis: number }).endTimeMillis;
}

function truncateRequests(service: RunningService): LoggedRequest[] {
  return service.requests.filter(({ path }) => path.includes('action=truncateTimeseriesAspect'));
}

/** Asserts that the rows are exactly these. A failure summarizes thousands of them in a line. */
export function assertRows(actual: readonly TimeRow[], expected: readonly TimeRow[], what: string): void {
  assert.ok(
    isDeepStrictEqual(actual, expected),
    `${what}: there are ${actual.length} rows where ${expected.length} were expected`,
  );
}
