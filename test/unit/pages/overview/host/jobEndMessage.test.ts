import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { jobEndMessage } from '../../../../../src/pages/overview/host/jobEndMessage.ts';
import { firstRuns, type Stage } from '../../../truncation/runningWindow.ts';
import { countedJob } from './countedJob.ts';

interface ToldStage extends Stage {
  readonly told: (isPageClosed?: boolean) => string | undefined;
}

async function stage(context: TestContext): Promise<ToldStage> {
  const counted = await countedJob(context);
  const { job } = counted;
  const told = (isPageClosed = false): string | undefined =>
    jobEndMessage({
      job: job.job,
      connectionName: 'Staging',
      isPageClosed,
      isAgreed: true,
    })?.text;
  return { ...counted, told };
}

suite('Message about the end of a job', () => {
  test('says that the connection changed during a truncation', async (context) => {
    const { server, window, job, told } = await stage(context);
    const { executing } = await firstRuns(server, job);
    await window.signIn();
    await executing;
    assert.match(
      told() ?? '',
      /dataset\/usage on Staging: Nothing was deleted\. The sign-in has changed since the dry run\./,
    );
  });

  test('counts what was sent before the page was closed, and names the rest, unless the user had stopped the job before', async (context) => {
    for (const stops of [false, true]) {
      const { server, job, told } = await stage(context);
      const { executing } = await firstRuns(server, job);
      if (stops) {
        job.job.stop();
      }
      job.job.dispose();
      await executing;
      assert.equal(
        told(true),
        stops
          ? undefined
          : 'The page was closed: truncation sent for 1 of 2 indices on Staging. Not sent: dataset/usage',
      );
    }
  });

  test('says that nothing was deleted if the page was closed before the first one was sent', async (context) => {
    const { server, job, told } = await stage(context);
    const dryRun = server.dryRun;
    server.dryRun = (plan) => {
      job.job.dispose();
      return dryRun(plan);
    };
    await job.execute();
    assert.equal(told(true), 'Truncation of dataset/operation on Staging: Nothing was deleted: the page was closed.');
  });

  test('says first what went wrong with one that was sent, although the page was closed too', async (context) => {
    const { server, job, told } = await stage(context);
    server.execute = (response) => {
      job.job.dispose();
      response.destroy();
    };
    await job.execute();
    assert.match(told(true) ?? '', /^Truncation of dataset\/operation on Staging: No response was received.*\.$/);
  });

  test('says that the job could not be stored', async (context) => {
    const { job, window, told } = await stage(context);
    window.answer = async () => {
      await window.jobs.forgetConnection(window.connection.id);
      window.jobs.create = () => Promise.reject(new Error('No space is left.'));
      return true;
    };
    await job.execute();
    assert.match(told() ?? '', /: Nothing was deleted: the truncation couldn't be recorded/);
  });

  test('is one sentence if everything was truncated', async (context) => {
    const { job, told } = await stage(context);
    await job.execute();
    assert.equal(told(), 'Truncated 2 indices on Staging: 40 rows deleted');
  });

  test('says that an outcome is unknown, not that it failed', async (context) => {
    const { server, job, told } = await stage(context);
    server.execute = (response) => response.destroy();
    await job.execute();
    assert.match(told() ?? '', /^Truncation of dataset\/operation on Staging: No response was received.*\.$/);
  });

  test('is absent if the user declined, and while the last one still runs', async (context) => {
    const declined = await stage(context);
    declined.window.answer = () => false;
    await declined.job.execute();
    assert.equal(declined.told(), undefined);
    const stopped = await stage(context);
    const { executing } = await firstRuns(stopped.server, stopped.job);
    stopped.job.job.stop();
    await executing;
    assert.equal(stopped.told(), undefined);
  });
});
