import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Fault } from './faults.ts';
import { startService, type RunningService } from './main.ts';
import { TestClient, type ServiceResponse } from './testClient.ts';
import { createDocument } from './tokenDocuments.ts';

describe('faults', () => {
  let service: RunningService;
  let admin: TestClient;
  before(async () => {
    service = await startService({ profile: '0.14', authentication: true, tokens: 0, rows: 100, lagMillis: 0 });
    admin = new TestClient(service, 'admin');
  });
  afterEach(() => service.faults.clear());
  after(() => service.close());

  const create = (): Promise<ServiceResponse> =>
    admin.graphql(createDocument, {
      input: { type: 'PERSONAL', actorUrn: service.users.admin.urn, duration: 'ONE_DAY', name: 'x' },
    });

  test('strike only matching requests, as often as ordered', async () => {
    const statuses = async (): Promise<number[]> => {
      const seen = [(await admin.graphql('{ __typename }')).status];
      for (let request = 0; request < 3; request += 1) seen.push((await admin.operation('getIndexSizes')).status);
      return seen;
    };
    service.faults.add({ fault: { kind: 'status', status: 503 }, match: 'action=getIndexSizes', times: 2 });
    assert.deepEqual(await statuses(), [200, 503, 503, 200]);
    service.faults.add({ fault: { kind: 'status', status: 500 }, times: 'always' });
    assert.deepEqual(await statuses(), [500, 500, 500, 500]);
    service.faults.clear();
    assert.deepEqual(await statuses(), [200, 200, 200, 200]);
  });

  /** The response to a creation (undefined if the connection is cut), and the number of tokens created. */
  for (const [fault, answered, created] of [
    [{ kind: 'status', status: 503 }, 503, 0],
    [{ kind: 'cutBefore' }, undefined, 0],
    [{ kind: 'cutAfter' }, undefined, 1],
    [{ kind: 'cutBody' }, undefined, 1],
    [{ kind: 'statusAfter', status: 504 }, 504, 1],
    [{ kind: 'statusAfter', status: 408 }, 408, 1],
    // The client of this test repeats such a request by itself, once.
    [{ kind: 'statusAfter', status: 421 }, 200, 2],
  ] as const satisfies [Fault, number | undefined, number][]) {
    test(`a creation with ${JSON.stringify(fault)} creates ${created}`, async () => {
      const known = service.tokens().length;
      service.faults.add({ fault, match: 'createAccessToken' });
      const answer = create().then(({ status }) => status);
      if (answered === undefined) await assert.rejects(answer, TypeError);
      else assert.equal(await answer, answered);
      assert.equal(service.tokens().length, known + created);
    });
  }
});
