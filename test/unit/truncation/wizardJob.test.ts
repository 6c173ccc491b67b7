import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { CAUTION_KINDS, type Caution } from '../../../src/truncation/cautions.ts';
import type { PlanDraft } from '../../../src/truncation/plan.ts';
import { shownStatusOf, type TruncationRecord } from '../../../src/truncation/record.ts';
import type { TruncationState } from '../../../src/truncation/state.ts';
import { endedStateProblem } from '../../../src/truncation/texts/endingTexts.ts';
import { until } from '../../service/testClient.ts';
import { CREDENTIAL } from '../service/clients.ts';
import { reply } from '../service/wireServer.ts';
import { leaveTruncation } from './journals.ts';
import {
  RunningWindow,
  scriptedServer,
  type ScriptedServer,
  type WindowOptions,
  type WizardJob,
} from './runningWindow.ts';
import { DAY, DRAFT, FINISHED, MAX_AGE, MINUTE, RECORD, REINDEX, dryRunText, endProblem } from './samples.ts';

const OLD: PlanDraft = { ...DRAFT, endTimeMillis: Date.now() - 90 * DAY };
/** The server chooses the strategy. */
const BY_SERVER: PlanDraft = { ...OLD, strategy: 'server' };
const CHECKPOINTS: PlanDraft = { ...OLD, entityType: 'dataJob', aspect: 'datahubIngestionCheckpoint' };
/** Another dry run has others. */
const OF_RESPONSE = new Set<Caution['kind']>(['unreadable', 'reindex', 'clock']);
const UNREADABLE = 'The moon is full.';
const OTHER_WINDOW = { sessionId: 'another window' };

interface Stage {
  readonly server: ScriptedServer;
  readonly window: RunningWindow;
  readonly run: WizardJob;
}

/** A truncation after its dry run: the button says Delete. */
async function reviewed(context: TestContext, draft = OLD, options?: WindowOptions): Promise<Stage> {
  const server = await scriptedServer(context);
  const window = await RunningWindow.open(context, server.url, options);
  const run = await window.wizard(draft);
  await run.item.dryRun();
  assert.equal(run.state.phase, 'reviewed');
  return { server, window, run };
}

function failingIn(state: TruncationState): string {
  return 'failing' in state ? (state.failing?.sentence ?? '') : (endedStateProblem(state, undefined)?.sentence ?? '');
}

suite('A dry run of very many rows', () => {
  for (const [typed, used] of [
    ['', 2_000],
    ['10000', 10_000],
    ['5000', 5_000],
  ] as const) {
    test(`is reviewed with batches of ${used} if the user typed "${typed}", which stays`, async (context) => {
      const server = await scriptedServer(context);
      server.dryRun = () => dryRunText(10_000_001, 30_000_000, 'deleteByQuery');
      const window = await RunningWindow.open(context, server.url);
      const run = await window.wizard({ ...OLD, batchSize: typed });
      await run.item.dryRun();
      assert.deepEqual([run.item.review?.plan.batchSize, run.state.draft.batchSize], [used, typed]);
      await run.execute();
      assert.deepEqual(
        server.executions().map(({ batchSize }) => batchSize),
        [used],
      );
    });
  }

  test('is one step of the page: what was counted first is never reviewed', async (context) => {
    const server = await scriptedServer(context);
    server.dryRun = () => dryRunText(10_000_001, 30_000_000, 'deleteByQuery');
    const window = await RunningWindow.open(context, server.url);
    const run = await window.wizard(OLD);
    const phases: string[] = [];
    run.job.onDidChange(() => run.state.phase !== phases.at(-1) && phases.push(run.state.phase));
    await run.item.dryRun();
    assert.deepEqual(phases, ['dryRunning', 'reviewed']);
  });
});

suite('Executing', () => {
  test('counts again, stores the record before sending, and sends once', async (context) => {
    const { server, window, run } = await reviewed(context);
    let onDisk = 0;
    const counted = server.dryRuns().length;
    server.execute = (response) => {
      void window.recordsOnDisk().then((records) => {
        onDisk = records.length;
        reply(response, 200, { value: 'node:1' });
      });
    };
    await run.execute();
    assert.equal(onDisk, 1);
    assert.equal(server.dryRuns().length, counted + 2, 'the rows up to now, and those to delete');
    assert.equal(server.executions().length, 1);
    assert.equal(run.state.phase, 'running');
    const [record] = await window.recordsOnDisk();
    assert.deepEqual([record?.taskId, record?.baseUrl, record?.id], ['node:1', server.url, run.recordId]);
  });

  test('stores the user that the server names, whom the connection follows', async (context) => {
    const server = await scriptedServer(context);
    server.caller = 'urn:li:corpuser:somebody-else';
    const window = await RunningWindow.open(context, server.url);
    const run = await window.wizard(OLD);
    await run.item.dryRun();
    await until('a question', () => server.requests.some(({ path }) => path.endsWith('/graphql')));
    // The run does not wait for the answer: a user takes longer to confirm.
    await window.services.get(window.store.get(window.connection.id) ?? assert.fail()).callerActorUrn();
    await run.execute();
    const [record] = await window.recordsOnDisk();
    assert.deepEqual([record?.callerUrn, record?.actorUrn], [server.caller, server.caller]);
  });

  test('stores the sending session before the response', async (context) => {
    const { server, window, run } = await reviewed(context);
    let shown: unknown;
    server.execute = async (response) => {
      const [record] = await window.recordsOnDisk();
      shown = record && [record.taskId, shownStatusOf(record, Date.now()), shownStatusOf(record, Date.now(), 'other')];
      reply(response, 200, { value: 'node:1' });
    };
    await run.execute();
    assert.deepEqual(shown, [undefined, 'sending', 'unanswered']);
  });

  test('stores no user if the server reports none', async (context) => {
    const { window, run } = await reviewed(context);
    await run.execute();
    const [record] = await window.recordsOnDisk();
    assert.deepEqual([record?.callerUrn, record?.actorUrn], [undefined, window.connection.actorUrn]);
  });

  test('shows the address of the server in the question', async (context) => {
    const { server, window, run } = await reviewed(context);
    await run.execute();
    assert.equal(window.asked[0]?.connection.baseUrl, server.url);
  });

  test('asks once and sends once if called twice at the same time', async (context) => {
    const { server, window, run } = await reviewed(context);
    await Promise.all([run.execute(), run.execute()]);
    assert.deepEqual([window.asked.length, server.executions().length], [1, 1]);
  });

  for (const [what, text, notice] of [
    ['more rows would be deleted', dryRunText(21, 201), 'grew'],
    ['the server would use another strategy', dryRunText(20, 201, 'reindex'), 'strategy'],
    ['the response is unreadable', UNREADABLE, 'unreadable'],
    ['no row is left', dryRunText(0, 181), 'nothingLeft'],
  ] as const) {
    test(`sends nothing if ${what} in the repeated count`, async (context) => {
      const { server, window, run } = await reviewed(context, { ...OLD, strategy: 'server' });
      server.dryRun = () => text;
      await run.execute();
      assert.deepEqual(server.executions(), []);
      assert.equal(run.state.phase === 'reviewed' && run.state.review.notice, notice);
      assert.deepEqual(await window.recordsOnDisk(), []);
    });
  }

  test('sends nothing if the count cannot be repeated', async (context) => {
    const { server, run } = await reviewed(context);
    server.refusesDryRuns = true;
    await run.execute();
    assert.deepEqual(server.executions(), []);
    assert.equal(run.state.phase, 'reviewed');
    assert.match(failingIn(run.state), /refused/);
  });

  test('sends nothing if the dry run becomes too old while the record is stored', async (context) => {
    const off = { millis: 0, isAsleep: false };
    const { server, window, run } = await reviewed(context, OLD, {
      clock: { now: () => Date.now() + off.millis },
      folder: (real) => ({
        ...real,
        create: async (name, text) => {
          const isNew = await real.create(name, text);
          off.millis = off.isAsleep ? MAX_AGE + 1 : 0;
          return isNew;
        },
      }),
    });
    off.isAsleep = true;
    await run.execute();
    assert.equal(run.state.phase === 'reviewed' && run.state.review.notice, 'tooOld');
    assert.deepEqual([server.executions(), await window.recordsOnDisk()], [[], []]);
  });

  test('sends nothing if it cannot be stored first', async (context) => {
    const full = { isFull: false };
    const { server, run } = await reviewed(context, OLD, {
      folder: (real) => ({
        ...real,
        create: (name, text) =>
          full.isFull ? Promise.reject(new Error('No space is left.')) : real.create(name, text),
      }),
    });
    full.isFull = true;
    await run.execute();
    assert.deepEqual(server.executions(), []);
    assert.match(failingIn(run.state), /Nothing was deleted: the truncation couldn't be recorded/);
  });

  const off = { millis: 0 };
  const meanwhile: Readonly<Record<string, (stage: Stage, context: TestContext) => unknown>> = {
    'long after the count': () => (off.millis = 20 * MINUTE),
    'after its page was closed': ({ run }) => run.job.dispose(),
    'if another window changes the connection to production': async ({ window }, context) =>
      (await window.another(context)).setRole('production'),
  };
  for (const [what, happen] of Object.entries(meanwhile)) {
    test(`sends nothing ${what} while the disk hangs`, async (context) => {
      off.millis = 0;
      const [hangs, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let willHang = false;
      const { server, window, run } = await reviewed(context, OLD, {
        clock: { now: () => Date.now() + off.millis, monotonic: () => performance.now() + off.millis },
        folder: (real) => ({
          ...real,
          readAll: async () => {
            if (willHang) {
              willHang = false;
              hangs.resolve();
              await released.promise;
            }
            return real.readAll();
          },
        }),
      });
      run.job.onDidChange(() => (willHang ||= run.state.phase === 'executing' && run.state.step === 'sent'));
      const executing = run.execute();
      await hangs.promise;
      await happen({ server, window, run }, context);
      released.resolve();
      await executing;
      assert.deepEqual([server.executions(), await window.recordsOnDisk()], [[], []]);
    });
  }

  test('sends nothing if another window announced a reindex after the records were read', async (context) => {
    const { server, window, run } = await reviewed(context);
    const announced = { ...RECORD, connectionId: window.connection.id, baseUrl: server.url, report: REINDEX };
    const saved = Promise.withResolvers<unknown>();
    run.job.onDidChange(() => {
      if (run.state.phase === 'executing' && run.state.step === 'sent') {
        saved.resolve(
          leaveTruncation(window.jobs, { ...announced, taskId: undefined, sentAt: Date.now() } as TruncationRecord),
        );
      }
    });
    const getFresh = window.store.getFresh.bind(window.store);
    window.store.getFresh = async (id) => {
      await (run.state.phase === 'executing' && run.state.step === 'sent' && saved.promise);
      return getFresh(id);
    };
    await run.execute();
    assert.deepEqual(server.executions(), []);
    assert.match(failingIn(run.state), /may still be reindexing/);
  });

  test('sends nothing if storing the record exceeds the longest wait, even if the clock went back', async (context) => {
    const late = { monotonic: 0 };
    const clock = { now: () => Date.now(), monotonic: () => performance.now() + late.monotonic };
    const { server, window, run } = await reviewed(context, OLD, { clock });
    const create = window.jobs.create.bind(window.jobs);
    window.jobs.create = (...job) => {
      late.monotonic += 2 * MINUTE;
      return create(...job);
    };
    await run.execute();
    assert.deepEqual([server.executions(), await window.recordsOnDisk()], [[], []]);
    assert.match(failingIn(run.state), /It took too long/);
    assert.equal(window.asked.length, 2, 'the question is asked again, once');
  });

  test('leaves no record if its claim fails once it is on disk', async (context) => {
    const { server, window, run } = await reviewed(context);
    const create = window.jobs.create.bind(window.jobs);
    window.jobs.create = async (...job) => {
      assert.ok(await create(...job));
      throw new Error('The disk is gone.');
    };
    await run.execute();
    assert.deepEqual([server.executions(), await window.recordsOnDisk()], [[], []]);
    assert.match(failingIn(run.state), /Nothing was deleted/);
  });

  test('keeps the record of another window if its own claim fails', async (context) => {
    const { server, window, run } = await reviewed(context);
    const other = await window.another(context);
    window.jobs.create = async (...job) => {
      const [ref, planned, ...facts] = job;
      const theirs = facts.map((fact) => (fact.kind === 'sent' ? Object.assign({}, fact, OTHER_WINDOW) : fact));
      assert.ok(await other.jobs.create(ref, planned, ...theirs));
      throw new Error('No space is left.');
    };
    await run.execute();
    assert.deepEqual([server.executions(), (await window.recordsOnDisk()).map(({ id }) => id)], [[], [run.recordId]]);
  });

  test('notifies the user if the page is closed after the last question and before the request', async (context) => {
    const { server, window, run } = await reviewed(context);
    const create = window.jobs.create.bind(window.jobs);
    window.jobs.create = (...job) => {
      run.job.dispose();
      return create(...job);
    };
    await run.execute();
    assert.deepEqual([server.executions(), window.closedUnderQuestion], [[], 1]);
  });

  test('shows the outcome even if it cannot be stored, and says so', async (context) => {
    const full = { isFull: false };
    const { server, window, run } = await reviewed(context, OLD, {
      folder: (real) => ({
        ...real,
        append: (name, line) =>
          full.isFull ? Promise.reject(new Error('No space is left.')) : real.append(name, line),
      }),
    });
    server.execute = (response) => {
      full.isFull = true;
      reply(response, 200, { value: 'node:1' });
    };
    await run.execute();
    assert.deepEqual([run.state.phase, window.notStored], ['running', 1]);
  });

  test('accepts a confirmation only for the current question, not for one after it was withdrawn', async (context) => {
    const { server, window, run } = await reviewed(context);
    const [first, second] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
    window.answer = () => (window.asked.length === 1 ? first : second).promise;
    const executing = [run.execute()];
    await until('the first question', () => window.asked.length === 1);
    await window.setRole('production');
    server.dryRun = () => dryRunText(150, 201, 'deleteByQuery');
    await run.item.dryRun();
    executing.push(run.execute());
    await until('the second question', () => window.asked.length === 2);
    first.resolve(true);
    await executing[0];
    assert.deepEqual([server.executions(), run.state.phase], [[], 'confirming']);
    second.resolve(false);
    await Promise.all(executing);
    assert.deepEqual([server.executions(), run.state.phase], [[], 'reviewed']);
  });

  test('sends nothing after the user declined', async (context) => {
    const { server, window, run } = await reviewed(context);
    window.answer = () => false;
    await run.execute();
    assert.deepEqual([server.executions().length, run.state.phase], [0, 'reviewed']);
  });

  test('sends nothing if the page is closed while the question is open, and says so', async (context) => {
    const { server, window, run } = await reviewed(context);
    window.answer = () => {
      run.job.dispose();
      return true;
    };
    await run.execute();
    assert.deepEqual([server.executions().length, window.closedUnderQuestion], [0, 1]);
  });

  test('sends nothing if the page is closed during the repeated count', async (context) => {
    const { server, window, run } = await reviewed(context);
    server.dryRun = () => {
      run.job.dispose();
      return dryRunText(20, 201);
    };
    await run.execute();
    assert.deepEqual([server.executions().length, (await window.recordsOnDisk()).length], [0, 0]);
  });

  test('requires a second confirmation of a cutoff in the future, whatever the page sends', async (context) => {
    const future: PlanDraft = { ...OLD, endTimeMillis: Date.now() + DAY };
    const { server, window, run } = await reviewed(context, future);
    await run.execute();
    assert.deepEqual([window.asked.length, server.executions().length], [0, 0]);
    // Such a cutoff leaves no row either.
    run.item.edit({ ...future, acceptedCautions: ['future', 'noRowStays'] });
    await run.execute();
    assert.deepEqual([window.asked.length, server.executions().length], [1, 1]);
    assert.equal(window.asked[0]?.cautions[0]?.kind, 'future');
  });

  for (const [what, kind, script, draft = OLD] of [
    ['a response dated 60 days ago', 'clock', (server) => (server.answeredAt = Date.now() - 60 * DAY)],
    ['no row to stay', 'noRowStays', (server) => (server.dryRun = () => dryRunText(201, 201, 'deleteByQuery'))],
    ['a reindex', 'reindex', (server) => (server.dryRun = () => dryRunText(150, 201, 'reindex')), BY_SERVER],
    ['an unreadable report', 'unreadable', (server) => (server.dryRun = () => UNREADABLE), BY_SERVER],
    ['lost state', 'holdsState', () => undefined, CHECKPOINTS],
  ] as readonly (readonly [string, Caution['kind'], (server: ScriptedServer) => unknown, PlanDraft?])[]) {
    test(`requires a yes of its own for ${what}`, async (context) => {
      const server = await scriptedServer(context);
      script(server);
      const window = await RunningWindow.open(context, server.url);
      const others = CAUTION_KINDS.filter((one) => one !== kind || OF_RESPONSE.has(one));
      const run = await window.wizard({ ...draft, acceptedCautions: others });
      await run.item.dryRun();
      await run.execute();
      assert.deepEqual([window.asked.length, server.executions().length], [0, 0]);
      run.item.edit({ ...run.state.draft, acceptedCautions: [kind] });
      await run.execute();
      assert.deepEqual([window.asked.length, server.executions().length], [1, 1]);
      assert.deepEqual(
        window.asked[0]?.cautions.map((one) => one.kind),
        [kind],
      );
    });
  }

  for (const [what, change] of [
    ['leaves no row', (server) => (server.dryRun = () => dryRunText(20, 20, 'deleteByQuery'))],
    ['has another date', (server) => (server.answeredAt = Date.now() - 3 * DAY)],
  ] as readonly (readonly [string, (server: ScriptedServer) => unknown])[]) {
    test(`is not sent if the count right before ${what}, which nothing was asked about`, async (context) => {
      const { server, window, run } = await reviewed(context);
      window.answer = () => {
        change(server);
        return true;
      };
      await run.execute();
      assert.deepEqual([window.asked.length, server.executions().length, run.state.phase], [1, 0, 'reviewed']);
    });
  }

  test('accepts no caution of the response before', async (context) => {
    const server = await scriptedServer(context);
    const window = await RunningWindow.open(context, server.url);
    const run = await window.wizard({ ...OLD, acceptedCautions: CAUTION_KINDS });
    await run.item.dryRun();
    assert.deepEqual(run.state.draft.acceptedCautions, []);
  });

  test('requires a yes of its own for a cutoff much younger than the last one', async (context) => {
    const server = await scriptedServer(context);
    const window = await RunningWindow.open(context, server.url);
    const sentAt = Date.now() - DAY;
    const plan = { ...RECORD.plan, endTimeMillis: sentAt - 90 * DAY };
    await leaveTruncation(window.jobs, {
      ...RECORD,
      connectionId: window.connection.id,
      sentAt,
      plan,
      ending: FINISHED,
    });
    const run = await window.wizard({ ...OLD, endTimeMillis: Date.now() - 9 * DAY });
    await run.item.dryRun();
    await run.execute();
    assert.equal(server.executions().length, 0);
    run.item.edit({ ...run.state.draft, acceptedCautions: ['muchYounger'] });
    await run.execute();
    assert.equal(server.executions().length, 1);
  });

  test('is refused if the server would not use the selected strategy', async (context) => {
    const server = await scriptedServer(context);
    const window = await RunningWindow.open(context, server.url);
    server.dryRun = () => dryRunText(150, 201, 'reindex');
    const run = await window.wizard({ ...OLD, strategy: 'deleteByQuery' });
    await run.item.dryRun();
    assert.equal(run.state.phase, 'editing');
    assert.match(failingIn(run.state), /wouldn't use the strategy you selected/);
  });
});

suite('An outdated dry run', () => {
  for (const [what, wall, monotonic] of [
    ['by the system’s clock', MAX_AGE + 1, 0],
    ['by the monotonic clock', 0, MAX_AGE + 1],
    ['because the clock was set back', -MINUTE, 0],
  ] as const) {
    test(`is not executed, ${what}`, async (context) => {
      const off = { wall: 0, monotonic: 0 };
      const clock = { now: () => Date.now() + off.wall, monotonic: () => performance.now() + off.monotonic };
      const { server, window, run } = await reviewed(context, OLD, { clock });
      Object.assign(off, { wall, monotonic });
      await run.execute();
      assert.deepEqual([window.asked.length, server.executions().length], [0, 0]);
      assert.equal(run.state.phase === 'reviewed' && run.state.review.notice, 'tooOld');
    });

    test(`is not executed if it becomes outdated while the question is open, ${what}`, async (context) => {
      const off = { wall: 0, monotonic: 0 };
      const clock = { now: () => Date.now() + off.wall, monotonic: () => performance.now() + off.monotonic };
      const { server, window, run } = await reviewed(context, OLD, { clock });
      window.answer = () => Object.assign(off, { wall, monotonic }) !== undefined;
      await run.execute();
      assert.deepEqual([window.asked.length, server.executions().length], [1, 0]);
    });
  }
});

suite('A change of the connection', () => {
  const changes: Readonly<Record<string, (stage: Stage, other: ScriptedServer) => Promise<unknown>>> = {
    'to another path of the same origin': ({ window }) =>
      window.change({ baseUrl: `${window.connection.baseUrl}/production` }),
    'to another server': ({ window }, other) => window.change({ baseUrl: other.url }),
    'to another actor': ({ window }) => window.change({ typedUser: 'urn:li:corpuser:other' }),
    'to another product': ({ window }) => window.change({ product: 'Service' }),
    'of its consent': ({ window }) => window.change({ plainHttpOrigin: new URL(window.connection.baseUrl).origin }),
    'by another sign-in': ({ window }) => window.signIn('another-token-of-the-same-person'),
    'to production': ({ window }) => window.setRole('production'),
    'to read-only': ({ window }) => window.setRole('readOnly'),
    'by signing out': ({ window }) => window.credentials.signOut(window.connection),
    'by losing its credential': ({ window }) => window.credentials.delete(window.connection.id),
    'by being removed': ({ window }) => window.remove(),
  };

  const subjects: Readonly<Record<string, string>> = {
    'to another path of the same origin': "The connection's address",
    'to another server': "The connection's address",
    'to another actor': "The connection's user",
    'by another sign-in': 'The sign-in',
    'by signing out': 'The sign-in',
    'by losing its credential': 'The sign-in',
    'to production': "The connection's role",
    'to read-only': "The connection's role",
  };

  for (const [how, change] of Object.entries(changes)) {
    test(`${how} discards the review`, async (context) => {
      const stage = await reviewed(context);
      const other = await scriptedServer(context);
      await change(stage, other);
      await stage.run.execute();
      assert.equal(stage.run.state.phase, 'editing');
      assert.deepEqual(
        [stage.window.asked.length, stage.server.executions().length, other.executions().length],
        [0, 0, 0],
      );
    });

    test(`${how} while the question is open executes nothing`, async (context) => {
      const stage = await reviewed(context);
      const other = await scriptedServer(context);
      stage.window.answer = async () => {
        await change(stage, other);
        return true;
      };
      await stage.run.execute();
      assert.equal(stage.run.state.phase, 'editing');
      assert.ok(
        failingIn(stage.run.state).startsWith(
          `Nothing was deleted. ${subjects[how] ?? 'The connection'} has changed since the dry run.`,
        ),
      );
      assert.deepEqual([stage.server.executions().length, other.executions().length], [0, 0]);
    });

    test(`${how} during the repeated count executes nothing and leaves no record`, async (context) => {
      const stage = await reviewed(context);
      const other = await scriptedServer(context);
      let changed: Promise<unknown> | undefined;
      stage.server.dryRun = async () => {
        await (changed ??= change(stage, other));
        return dryRunText(20, 201);
      };
      await stage.run.execute();
      await changed;
      assert.match(failingIn(stage.run.state), /^Nothing was deleted\. .* has changed since the dry run\.$/);
      assert.deepEqual([stage.server.executions().length, other.executions().length], [0, 0]);
      assert.deepEqual(await stage.window.recordsOnDisk(), []);
    });
  }

  for (const during of ['question', 'count'] as const) {
    test(`to read-only in another window during the ${during} executes nothing`, async (context) => {
      const { server, window, run } = await reviewed(context);
      const other = await window.another(context);
      if (during === 'question') {
        window.answer = () => other.setRole('readOnly').then(() => true);
      } else {
        let changed: Promise<void> | undefined;
        server.dryRun = () => (changed ??= other.setRole('readOnly')).then(() => dryRunText(20, 201));
      }
      await run.execute();
      assert.deepEqual([server.executions().length, window.asked.length, run.state.phase], [0, 1, 'editing']);
      assert.deepEqual(await window.recordsOnDisk(), []);
    });
  }

  test('to production in another window is respected by the question', async (context) => {
    const { server, window, run } = await reviewed(context);
    await (await window.another(context)).setRole('production');
    await run.execute();
    assert.deepEqual([server.executions().length, window.asked.length, run.state.phase], [0, 0, 'editing']);
    await run.item.dryRun();
    await run.execute();
    assert.deepEqual(
      [server.executions().length, window.asked.map(({ connection }) => connection.role)],
      [1, ['production']],
    );
  });

  test('to read-only allows dry runs, but an execution asks nothing and sends nothing', async (context) => {
    const server = await scriptedServer(context);
    const window = await RunningWindow.open(context, server.url);
    await window.setRole('readOnly');
    const run = await window.wizard(OLD);
    await run.item.dryRun();
    assert.equal(run.state.phase, 'reviewed');
    const counted = server.dryRuns().length;
    await run.execute();
    assert.equal(run.state.phase, 'reviewed');
    assert.match(failingIn(run.state), /read-only/);
    assert.deepEqual([window.asked.length, server.dryRuns().length, server.executions().length], [0, counted, 0]);
    assert.deepEqual(await window.recordsOnDisk(), []);
  });

  test('of its name keeps the review', async (context) => {
    const { server, window, run } = await reviewed(context);
    await window.change({ name: 'Renamed' });
    await run.execute();
    assert.equal(server.executions().length, 1);
  });

  for (const where of ['here', 'in another window'] as const) {
    test(`by being removed ${where} during the execution restores no record`, async (context) => {
      const { server, window, run } = await reviewed(context);
      const remover = where === 'here' ? window : await window.another(context);
      const removed = Promise.withResolvers<void>();
      server.execute = (response) => {
        void remover.remove().then(() => {
          reply(response, 200, { value: 'node:1' });
          removed.resolve();
        });
      };
      await run.execute();
      await removed.promise;
      assert.deepEqual(await window.recordsOnDisk(), []);
    });
  }
});

suite('The response to an execution', () => {
  test('leaves no record if it is a refusal, since nothing runs', async (context) => {
    for (const answer of [
      { status: 403, body: { message: 'User is unauthorized to truncate timeseries index', status: 403 } },
      { status: 200, body: { value: 'please only set forceReindex OR forceDeleteByQuery flags' } },
    ]) {
      const { server, window, run } = await reviewed(context);
      server.execute = (response) => reply(response, answer.status, answer.body);
      await run.execute();
      assert.equal(run.state.phase, 'failed');
      assert.deepEqual(await window.recordsOnDisk(), []);
    }
  });

  test('means a started task if it is a single word', async (context) => {
    const { server, window, run } = await reviewed(context);
    server.execute = (response) => reply(response, 200, { value: '3b241101-e2bb-4255-8caf-4136c566a962' });
    await run.execute();
    assert.equal(run.state.phase, 'running');
    assert.equal((await window.recordsOnDisk())[0]?.taskId, '3b241101-e2bb-4255-8caf-4136c566a962');
  });

  for (const [what, strike] of [
    ['if it is a redirect', (response) => reply(response, 307, '', { location: '/elsewhere' })],
    ['if it is lost', (response) => response.destroy()],
    ['if it is an HTML page', (response) => reply(response, 200, '<html></html>')],
    ['if it is a 503', (response) => reply(response, 503, '')],
  ] as readonly (readonly [string, ScriptedServer['execute']])[]) {
    test(`leaves the outcome unknown and a new count in the record, and requests nothing, ${what}`, async (context) => {
      const { server, window, run } = await reviewed(context);
      server.execute = (response) => {
        server.dryRun = () => dryRunText(5, 186);
        strike(response);
      };
      await run.execute();
      assert.equal(server.executions().length, 1);
      const [record] = await window.recordsOnDisk();
      assert.equal(record?.ending?.kind, 'unknown');
      assert.match(failingIn(run.state), /may or may not have started/);
      assert.match(endProblem(record).next ?? '', /falling \(5 rows left to delete\)/);
    });
  }

  test('keeps the message of an unknown outcome after another look, and adds the new count', async (context) => {
    const { server, window, run } = await reviewed(context);
    server.execute = (response) => response.destroy();
    await run.execute();
    const record = run.item.record ?? assert.fail();
    server.dryRun = () => dryRunText(7, 188);
    await window.watch.checkNow(record);
    const checked = window.jobs.get(record.connectionId, record.id);
    assert.ok(checked?.ending?.kind === 'unknown');
    assert.match(endProblem(checked).sentence, /may or may not have started/);
    assert.match(endProblem(checked).next ?? '', /\(7 rows left to delete\)/);
  });
});

suite('"Async reindex failed"', () => {
  const refuse: ScriptedServer['execute'] = (response) =>
    reply(response, 400, { exceptionClass: 'x', message: 'Async reindex failed', status: 400 });

  test('with all rows found means that nothing happened, and offers delete by query', async (context) => {
    const { server, window, run } = await reviewed(context);
    server.execute = refuse;
    await run.execute();
    assert.match(failingIn(run.state), /^Nothing was deleted: the server couldn't reindex/);
    assert.deepEqual(await window.recordsOnDisk(), []);
  });

  for (const [what, count, kept] of [
    ['with rows missing', () => dryRunText(0, 3), 0],
    ['without a count', () => UNREADABLE, undefined],
  ] as const) {
    test(`${what} stores that rows are hidden, and blocks the index until the record is forgotten`, async (context) => {
      const { server, window, run } = await reviewed(context);
      server.execute = (response) => {
        server.dryRun = count;
        refuse(response);
      };
      await run.execute();
      const [record] = await window.recordsOnDisk();
      assert.ok(record?.ending?.kind === 'unknown' && record.ending.hidesRows === true);
      assert.equal(record.readers?.kept, kept);
      assert.match(endProblem(record).next ?? '', /administrator the requests/);

      // Another run, as in another window, that forces a delete by query.
      server.dryRun = () => dryRunText(1, 3, 'deleteByQuery');
      const next = await window.wizard({ ...OLD, strategy: 'deleteByQuery', aspect: OLD.aspect.toUpperCase() });
      await next.item.dryRun();
      await next.execute();
      assert.deepEqual([window.asked.length, server.executions().length], [1, 1]);
      assert.match(failingIn(next.state), /^Nothing was deleted: an earlier reindex/);

      // The same server by another path, or another connection to it.
      assert.ok(
        window.jobs.inTheWay(
          { ...window.connection, baseUrl: `${window.connection.baseUrl}/api/gms` },
          record.plan,
          '',
          Date.now(),
        ),
      );
      assert.ok(window.jobs.inTheWay({ ...window.connection, id: 'another' }, record.plan, '', Date.now()));
      assert.equal(
        window.jobs.inTheWay({ id: 'another', baseUrl: 'https://other.example.com' }, record.plan, '', Date.now()),
        undefined,
      );
      assert.equal(
        window.jobs.inTheWay(window.connection, record.plan, record.id, Date.now()),
        undefined,
        'not by itself',
      );

      await window.jobs.dismiss(record, Date.now());
      await next.execute();
      assert.equal(server.executions().length, 2);
    });
  }

  test('blocks this window too if another window stores it while the question is open', async (context) => {
    const { server, window, run } = await reviewed(context);
    window.answer = async () => {
      await leaveTruncation(window.jobs, {
        ...RECORD,
        connectionId: window.connection.id,
        baseUrl: server.url,
        ending: { kind: 'unknown', reason: 'rowsHidden', hidesRows: true },
      });
      return true;
    };
    await run.execute();
    assert.deepEqual(server.executions(), []);
    assert.match(failingIn(run.state), /^Nothing was deleted: an earlier reindex/);
  });
});

suite('A second truncation of an index', () => {
  const isSending = { taskId: undefined, sentAt: Date.now() };
  const longAgo = { taskId: undefined, sentAt: Date.now() - 600_000 };
  for (const [what, change, refusal] of [
    ['while a reindex runs', { report: REINDEX }, /may still be reindexing/],
    ['after a reindex without a response', { report: REINDEX, ...longAgo }, /may still be reindexing/],
    ['while a delete by query runs', {}, /is being sent or still running/],
    ['while another one is being sent', isSending, /is being sent or still running/],
    ['after a delete by query without a response', longAgo, undefined],
    ['after one that has ended', { ending: FINISHED }, undefined],
  ] as const) {
    test(`is ${refusal === undefined ? '' : 'not '}sent ${what}`, async (context) => {
      const { server, window, run } = await reviewed(context);
      await leaveTruncation((await window.another(context)).jobs, {
        ...RECORD,
        connectionId: window.connection.id,
        baseUrl: server.url,
        ...change,
      } as TruncationRecord);
      await run.execute();
      assert.equal(server.executions().length, refusal === undefined ? 1 : 0);
      assert.match(failingIn(run.state), refusal ?? /^$/);
    });
  }

  test('is not sent if it is forgotten right after it was stored', async (context) => {
    const { server, window, run } = await reviewed(context);
    const create = window.jobs.create.bind(window.jobs);
    window.jobs.create = async (...job) => {
      const isMine = await create(...job);
      const [{ id, connectionId }] = job;
      await (await window.another(context)).jobs.dismiss({ connectionId, id: `${id}.0` }, Date.now());
      return isMine;
    };
    await run.execute();
    assert.deepEqual(server.executions(), []);
    assert.match(failingIn(run.state), /forgotten before it was sent/);
  });

  test('is not sent if another window considers it lost and forgets it while the disk is slow', async (context) => {
    const { server, window, run } = await reviewed(context);
    const getFresh = window.store.getFresh.bind(window.store);
    window.store.getFresh = async (id) => {
      const [announced] = window.jobs.of(id);
      await (announced && (await window.another(context)).jobs.dismiss(announced, Date.now()));
      return getFresh(id);
    };
    await run.execute();
    assert.deepEqual([server.executions(), await window.recordsOnDisk()], [[], []]);
    assert.match(failingIn(run.state), /forgotten before it was sent/);
  });
});

suite("A truncation whose file can't be read", () => {
  for (const [what, text] of [
    ['is damaged', 'damaged'],
    ['was saved by a later version', JSON.stringify({ v: 2, task: 'node:1' })],
  ] as const) {
    test(`blocks its connection if it ${what}, and says so, until it is forgotten`, async (context) => {
      const { server, window, run } = await reviewed(context);
      const id = await window.leaveUnreadable(text);
      await run.execute();
      assert.deepEqual([window.asked, server.executions()], [[], []]);
      assert.match(failingIn(run.state), /the file of a truncation of this connection can't be read/);
      await window.jobs.remove({ connectionId: window.connection.id, id });
      await run.execute();
      assert.equal(server.executions().length, 1);
    });
  }

  test('blocks its connection also if it appears while the question is open', async (context) => {
    const { server, window, run } = await reviewed(context);
    window.answer = () => window.leaveUnreadable().then(() => true);
    await run.execute();
    assert.deepEqual(server.executions(), []);
    assert.match(failingIn(run.state), /can't be read/);
  });

  test('blocks no other connection', async (context) => {
    const { server, window, run } = await reviewed(context);
    await window.leaveUnreadable('damaged', crypto.randomUUID());
    await run.execute();
    assert.equal(server.executions().length, 1);
  });
});

suite('A response with a task ID', () => {
  test('is rejected if the ID holds the credential', async (context) => {
    const { server, window, run } = await reviewed(context);
    server.execute = (response) => reply(response, 200, { value: CREDENTIAL });
    await run.execute();
    const [record] = await window.recordsOnDisk();
    assert.equal(record?.taskId, undefined);
    assert.equal(record?.ending?.kind, 'unknown');
    assert.ok(!JSON.stringify(record).includes(CREDENTIAL));
  });
});

suite('A restored page', () => {
  test('finds its truncation by the ID that it knew before', async (context) => {
    const { window, run } = await reviewed(context);
    const knownBefore = run.recordId;
    await run.execute();
    const record =
      (await window.recordsOnDisk()).find(({ id }) => id === knownBefore) ?? assert.fail('no record of that id');
    assert.equal((await window.wizard(record)).state.phase, 'running');
  });

  test('stores the next truncation under another ID after starting over', async (context) => {
    const { run } = await reviewed(context);
    const first = run.recordId;
    await run.execute();
    run.job.planAgain(OLD);
    assert.notEqual(run.recordId, first);
  });
});
