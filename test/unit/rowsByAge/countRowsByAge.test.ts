import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { countSample } from '../../../src/rowsByAge/rowsByAge.ts';
import { serviceAt } from '../service/clients.ts';
import { reply, wireServer } from '../service/wireServer.ts';
import { SteppedClock } from '../steppedClock.ts';
import { DAY, NOW, dryRunText } from '../truncation/samples.ts';

const TARGET = { entityType: 'dataset', aspect: 'operation' };

suite('A count of rows', () => {
  for (const mode of ['requested', 'background'] as const) {
    test(`is a dry run of the index, when ${mode}, dated when it was answered`, async (context) => {
      const clock = new SteppedClock(NOW);
      const { url, requests } = await wireServer(context, (_, response) => {
        clock.advance(70);
        reply(response, 200, { value: dryRunText(5, 7) });
      });
      const { signal } = new AbortController();
      assert.deepEqual(await countSample(serviceAt(url), TARGET, NOW - DAY, mode, clock, signal), {
        endTimeMillis: NOW - DAY,
        rows: 5,
        total: 7,
        at: NOW + 70,
      });
      const sent = requests.map(({ body }) => JSON.parse(body) as object);
      assert.deepEqual(sent, [{ ...TARGET, endTimeMillis: NOW - DAY, batchSize: 10_000, dryRun: true }]);
    });
  }

  test("isn't invented from an unreadable report", async (context) => {
    const { url } = await wireServer(context, (_, response) => reply(response, 200, { value: 'The moon is full.' }));
    const { signal } = new AbortController();
    const clock = new SteppedClock(NOW);
    await assert.rejects(countSample(serviceAt(url), TARGET, NOW, 'requested', clock, signal), {
      message: 'Row count not available',
      serverText: 'The moon is full.',
    });
  });
});
