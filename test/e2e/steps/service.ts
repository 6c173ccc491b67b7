import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { TimeRow } from '../harness/rowDatabase.ts';
import type { RunningService } from '../../service/main.ts';
import type { LoggedRequest } from '../../service/requestLog.ts';

/** True if a server accepts a token in a plain request, past the extension. */
export async function tokenIsAccepted(baseUrl: string, token: string): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/api/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: '{ __typename }', variables: {} }),
  });
  return answer.ok;
}

/** The status with which a server answers the listing of sizes to a token. */
export async function operationStatus(url: string, token: string, path = '/operations'): Promise<number> {
  const answer = await fetch(`${url}${path}?action=getIndexSizes`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
  });
  return answer.status;
}

export type ListedSize = { readonly indexName: string; readonly bytes: number };

/** The sizes that a server lists with the names of entity and aspect, asked with a plain request. */
export async function listedSizes(baseUrl: string, token: string): Promise<ListedSize[]> {
  const answer = await fetch(`${baseUrl}/api/gms/operations?action=getIndexSizes`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
  });
  const { value } = (await answer.json()) as {
    value: { indexSizes: { indexName: string; entityName?: string; sizeInMb?: number; sizeMb?: number }[] };
  };
  return value.indexSizes
    .filter(({ entityName }) => entityName !== undefined)
    .map(({ indexName, sizeInMb, sizeMb }) => ({ indexName, bytes: (sizeInMb ?? sizeMb ?? 0) * 1e6 }));
}

/** How often a server was asked for something, by a part of the path or the body. */
export function requestCount(service: RunningService, part: string): number {
  return service.requests.filter(({ path, body }) => path.includes(part) || body.includes(part)).length;
}

/** The truncations that were really asked for, dry runs aside. */
export function executeRequests(service: RunningService): LoggedRequest[] {
  return truncateRequests(service).filter(({ body }) => body.includes('"dryRun":false'));
}

/** The dry runs that were asked for. */
export function dryRunRequests(service: RunningService): LoggedRequest[] {
  return truncateRequests(service).filter(({ body }) => !body.includes('"dryRun":false'));
}

/** The cut-off that a truncation or its dry run was asked with: Unix time in ms. */
export function cutOffOf(request: LoggedRequest | undefined): number {
  return (JSON.parse(request?.body ?? '{}') as { endTimeMillis: number }).endTimeMillis;
}

function truncateRequests(service: RunningService): LoggedRequest[] {
  return service.requests.filter(({ path }) => path.includes('action=truncateTimeseriesAspect'));
}

/** Asserts that the rows are these and no others; a failure names thousands of them in a line. */
export function assertRows(actual: readonly TimeRow[], expected: readonly TimeRow[], what: string): void {
  assert.ok(
    isDeepStrictEqual(actual, expected),
    `${what}: there are ${actual.length} rows where ${expected.length} were expected`,
  );
}
