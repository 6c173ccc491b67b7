import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Fault } from './faults.ts';
import { startService, type RunningService } from './main.ts';
import { dig, TestClient, until, type ServiceResponse } from './testClient.ts';
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
  const sizesWith = (fault: Fault): Promise<ServiceResponse> => {
    service.faults.add({ fault });
    return admin.operation('getIndexSizes');
  };

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

  test('strike at the front as well', async () => {
    service.faults.add({ fault: { kind: 'status', status: 502, body: 'Proxy connection failed: refused' } });
    const answer = await new TestClient(service, 'admin', 'front').operation('getIndexSizes');
    assert.deepEqual([answer.status, answer.text], [502, 'Proxy connection failed: refused']);
  });

  for (const [fault, status, header, value, text] of [
    [{ kind: 'status', status: 429, retryAfter: '7' }, 429, 'retry-after', '7', /^$/],
    [{ kind: 'status', status: 403 }, 403, 'retry-after', null, /^\{"message":"Unauthorized","status":403\}$/],
    [{ kind: 'html' }, 200, 'content-type', 'text/html', /<h1>Sign in/],
    [{ kind: 'redirect', location: 'https://login.example/' }, 302, 'location', 'https://login.example/', /<h1>Sign/],
    [{ kind: 'truncatedBody' }, 200, 'content-type', 'application/json', /^\{"value"(?!.*\}$)/],
    [{ kind: 'huge', bytes: 3_000_000 }, 200, 'content-type', 'application/json', /^\{"value":"x{3000000,}"\}$/],
  ] as const satisfies [Fault, number, string, string | null, RegExp][]) {
    test(`can be ${JSON.stringify(fault)}`, async () => {
      const answer = await sizesWith(fault);
      assert.deepEqual([answer.status, answer.headers.get(header)], [status, value]);
      assert.ok(text.test(answer.text), answer.text.slice(0, 200));
    });
  }

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

  for (const [kind, fault] of Object.entries({
    latency: () => ({ kind: 'latency', millis: 3_600_000 }) as const,
    held: (released: Promise<void>) => ({ kind: 'held', until: released }) as const,
  })) {
    test(`can hold the response until a test releases it: ${kind}`, async () => {
      const letGo = Promise.withResolvers<void>();
      service.clearRequests();
      let isAnswered = false;
      const answer = sizesWith(fault(letGo.promise)).finally(() => (isAnswered = true));
      await until('the request arrives', () => service.requests.length === 1);
      await fetch(`${service.url}/config`);
      assert.equal(isAnswered, false);
      if (kind === 'held') letGo.resolve();
      else service.faults.clear();
      assert.equal((await answer).status, 200);
    });
  }

  test('can be a wrong clock, visible in the date and in everything created', async () => {
    const offsetMillis = -400 * 24 * 60 * 60 * 1000;
    const year = new Date(Date.now() + offsetMillis).getUTCFullYear();
    const late = await sizesWith({ kind: 'clock', offsetMillis });
    assert.equal(new Date(String(late.headers.get('date'))).getUTCFullYear(), year);
    service.faults.add({ fault: { kind: 'clock', offsetMillis } });
    const made = dig((await create()).body, 'data', 'createAccessToken', 'metadata', 'createdAt');
    assert.equal(new Date(Number(made)).getUTCFullYear(), year);
  });

  test('leave every request in the log as it arrived, those they cut included', async () => {
    service.clearRequests();
    service.faults.add({ fault: { kind: 'cutBefore' } });
    await assert.rejects(admin.operation('getIndexSizes'));
    await new TestClient(service, 'admin', 'front').operation('getEsTaskStatus', { task: 'n:1' });
    await until('the front has answered', () => service.requests[1]?.status === 200);
    assert.deepEqual(
      service.requests.map(({ server, method, path, status, body }) => [server, method, path, status, body]),
      [
        ['service', 'POST', '/operations?action=getIndexSizes', null, ''],
        ['front', 'POST', '/api/gms/operations?action=getEsTaskStatus', 200, '{"task":"n:1"}'],
      ],
    );
    assert.equal(service.requests[0]?.headers.authorization, `Bearer ${service.adminToken}`);
  });
});
