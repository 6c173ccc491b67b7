import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Fault } from './faults.ts';
import { startService, type RunningService } from './main.ts';
import { dig, TestClient, until } from './testClient.ts';
import { createDocument } from './tokenDocuments.ts';

describe('faults', () => {
  let service: RunningService;
  let admin: TestClient;
  before(async () => {
    service = await startService({ profile: 'next', datesResponses: true, tokens: 0, rows: 100, lagMillis: 0 });
    admin = new TestClient(service, 'admin');
  });
  afterEach(() => service.faults.clear());
  after(() => service.close());

  const create = (): ReturnType<TestClient['graphql']> =>
    admin.graphql(createDocument, {
      input: { type: 'PERSONAL', actorUrn: service.users.admin.urn, duration: 'ONE_DAY', name: 'x' },
    });
  const sizesWith = async (fault: Fault): ReturnType<TestClient['operation']> => {
    service.faults.add({ fault });
    return admin.operation('getIndexSizes');
  };

  test('strike only matching requests, as often as ordered', async () => {
    service.faults.add({ fault: { kind: 'status', status: 503 }, match: 'action=getIndexSizes', times: 2 });
    assert.equal((await admin.graphql('{ __typename }')).status, 200);
    assert.equal((await admin.operation('getIndexSizes')).status, 503);
    assert.equal((await admin.operation('getIndexSizes')).status, 503);
    assert.equal((await admin.operation('getIndexSizes')).status, 200);
    service.faults.add({ fault: { kind: 'status', status: 500 }, times: 'always' });
    assert.equal((await admin.operation('getIndexSizes')).status, 500);
    assert.equal((await admin.operation('getIndexSizes')).status, 500);
    service.faults.clear();
    assert.equal((await admin.operation('getIndexSizes')).status, 200);
  });

  test('strike at the front as well', async () => {
    service.faults.add({ fault: { kind: 'status', status: 502, body: 'Proxy connection failed: refused' } });
    const answer = await new TestClient(service, 'admin', 'front').operation('getIndexSizes');
    assert.deepEqual([answer.status, answer.text], [502, 'Proxy connection failed: refused']);
  });

  test('can be any status, with Retry-After', async () => {
    const busy = await sizesWith({ kind: 'status', status: 429, retryAfter: '7' });
    assert.deepEqual([busy.status, busy.headers.get('retry-after')], [429, '7']);
    for (const status of [401, 403, 500, 502, 503, 504]) {
      assert.equal((await sizesWith({ kind: 'status', status })).status, status);
    }
  });

  test('can be a conflict of transactions, with its code and a pause', async () => {
    const conflict = await sizesWith({ kind: 'transactionConflict' });
    assert.deepEqual([conflict.status, conflict.headers.get('retry-after')], [503, '1']);
    assert.equal(dig(conflict.body, 'code'), 'DATABASE_TRANSACTION_CONFLICT');
    service.faults.add({ fault: { kind: 'transactionConflict', retryAfter: '20' } });
    const creation = (await create()) as Awaited<ReturnType<TestClient['graphql']>>;
    assert.deepEqual([creation.status, creation.headers.get('retry-after')], [503, '20']);
    assert.equal(service.tokens().length, 0);
  });

  test('can be a page instead of a document, or a redirect to one', async () => {
    const page = await sizesWith({ kind: 'html' });
    assert.equal(page.status, 200);
    assert.match(String(page.headers.get('content-type')), /text\/html/);
    const away = await sizesWith({ kind: 'redirect', location: 'https://login.example/' });
    assert.deepEqual([away.status, away.headers.get('location')], [302, 'https://login.example/']);
  });

  test('can be half a body, complete or cut', async () => {
    const half = await sizesWith({ kind: 'truncatedBody' });
    assert.equal(half.status, 200);
    assert.equal(half.body, undefined);
    assert.match(half.text, /^\{"value"/);
    await assert.rejects(sizesWith({ kind: 'cutBody' }), TypeError);
  });

  test('cut a connection before anything is done, or after everything is', async () => {
    service.faults.add({ fault: { kind: 'cutBefore' } });
    await assert.rejects(create(), TypeError);
    assert.equal(service.tokens().length, 0);
    service.faults.add({ fault: { kind: 'cutAfter' } });
    await assert.rejects(create(), TypeError);
    assert.equal(service.tokens().length, 1);
  });

  for (const status of [504, 408, 425]) {
    test(`a request answered with ${status} in place of the answer has been carried out`, async () => {
      const known = service.tokens().length;
      service.faults.add({ fault: { kind: 'statusAfter', status }, match: 'createAccessToken' });
      assert.equal((await create()).status, status);
      assert.equal(service.tokens().length, known + 1);
    });
  }

  test('a request answered with 421 has been carried out, even twice by a client that repeats it', async () => {
    const known = service.tokens().length;
    service.faults.add({ fault: { kind: 'statusAfter', status: 421 }, match: 'createAccessToken' });
    assert.equal((await create()).status, 200);
    assert.equal(service.tokens().length, known + 2);
  });

  test('can be a delay that a client does not wait for', async () => {
    service.faults.add({ fault: { kind: 'latency', millis: 3_600_000 } });
    service.clearRequests();
    const stop = new AbortController();
    const call = fetch(`${service.url}/config`, { signal: stop.signal });
    // Aborting earlier would leave the fault for the next request.
    await until('the request arrives', () => service.requests.length === 1);
    stop.abort();
    await assert.rejects(call, { name: 'AbortError' });
    service.faults.add({ fault: { kind: 'latency', millis: 1 } });
    assert.equal((await admin.operation('getIndexSizes')).status, 200);
  });

  test('can be a delay that ends once the faults are cleared', async () => {
    service.faults.add({ fault: { kind: 'latency', millis: 3_600_000 } });
    service.clearRequests();
    const call = admin.operation('getIndexSizes');
    await until('the request arrives', () => service.requests.length === 1);
    service.faults.clear();
    assert.equal((await call).status, 200);
  });

  test('can hold the response until a test releases it', async () => {
    const letGo = Promise.withResolvers<void>();
    service.faults.add({ fault: { kind: 'held', until: letGo.promise } });
    service.clearRequests();
    let isAnswered = false;
    const answer = admin.operation('getIndexSizes').finally(() => (isAnswered = true));
    await until('the request arrives', () => service.requests.length === 1);
    await fetch(`${service.url}/config`);
    assert.equal(isAnswered, false);
    letGo.resolve();
    assert.equal((await answer).status, 200);
  });

  test('can be a response of any size', async () => {
    const answer = await sizesWith({ kind: 'huge', bytes: 3_000_000 });
    assert.ok(answer.text.length >= 3_000_000);
    assert.equal(typeof dig(answer.body, 'value'), 'string');
  });

  test('can be a wrong clock, visible in the date and in everything created', async () => {
    const offsetMillis = -400 * 24 * 60 * 60 * 1000;
    const late = await sizesWith({ kind: 'clock', offsetMillis });
    const year = new Date(Date.now() + offsetMillis).getUTCFullYear();
    assert.equal(new Date(String(late.headers.get('date'))).getUTCFullYear(), year);
    service.faults.add({ fault: { kind: 'clock', offsetMillis } });
    const made = dig((await create()) as object, 'body', 'data', 'createAccessToken', 'metadata', 'createdAt');
    assert.equal(new Date(Number(made)).getUTCFullYear(), year);
  });

  test('can be ordered over the wire too: by a header, or by a separate request', async () => {
    const header = { 'x-fault': '{"kind":"status","status":418}' };
    assert.equal((await admin.send('GET', '/health', undefined, header)).status, 418);
    const order = JSON.stringify({ fault: { kind: 'status', status: 599 }, match: '/health', times: 'always' });
    assert.equal((await admin.send('POST', '/__faults', order)).status, 204);
    assert.equal((await admin.send('GET', '/health')).status, 599);
    assert.equal((await admin.send('DELETE', '/__faults')).status, 204);
    assert.equal((await admin.send('GET', '/health')).status, 200);
    assert.equal((await admin.send('POST', '/__faults', '{"fault":{"kind":"earthquake"}}')).status, 400);
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
