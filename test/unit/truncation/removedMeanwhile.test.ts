import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import { DAY } from './samples.ts';
import { RunningWindow, leftOnDisk, scriptedServer } from './runningWindow.ts';

test('A job of a connection that is removed while its files cannot be read for a moment leaves no file', async (context) => {
  const server = await scriptedServer(context);
  let isStored = false;
  let failed = 0;
  const window = await RunningWindow.open(context, server.url, {
    folder: (real) => ({
      ...real,
      create: async (name, text) => {
        // Its jobs were forgotten before.
        await window.store.remove(window.connection.id);
        isStored = await real.create(name, text);
        return isStored;
      },
    }),
    connectionsFolder: (real) => ({
      ...real,
      readAll: async () => {
        if (isStored && failed++ === 0) {
          throw new Error('The disk does not answer.');
        }
        return real.readAll();
      },
    }),
  });
  const job = window.overview();
  await job.count([{ ...emptyDraft('dataset', 'operation'), endTimeMillis: Date.now() - 90 * DAY }]);
  await job.execute();
  assert.ok(isStored && failed > 0);
  assert.deepEqual([server.executions(), await window.interruptedOnDisk()], [[], []]);
});

test('A job of which nobody can say that its connection is removed stays on offer, and sends nothing', async (context) => {
  const server = await scriptedServer(context);
  let isStored = false;
  const window = await RunningWindow.open(context, server.url, {
    folder: (real) => ({
      ...real,
      create: async (name, text) => (isStored = await real.create(name, text)),
    }),
    connectionsFolder: (real) => ({
      ...real,
      readAll: () => (isStored ? Promise.reject(new Error('The disk does not answer.')) : real.readAll()),
    }),
  });
  const job = window.overview();
  await job.count([{ ...emptyDraft('dataset', 'operation'), endTimeMillis: Date.now() - 90 * DAY }]);
  await job.execute();
  assert.deepEqual([server.executions(), await leftOnDisk(window)], [[], ['operation']]);
});
