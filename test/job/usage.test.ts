// Exit 1: wrong usage and wrong settings are refused before anything is sent.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { rowCount } from './rows.ts';
import { OPERATIONS, type JobRun } from './script.ts';
import type { JobSettings } from './settings.ts';
import { inShell, SHELLS } from './shells.ts';
import { smallJob } from './smallJob.ts';

/** Lines of the script's list that its rules refuse. */
const WRONG_LINES = {
  'a space in a name': 'data set operation 90 40 200',
  'quotes around a name': 'dataset "operation" 90 40 200',
  'a quote in a name': "dataset o'peration 90 40 200",
  'a command': 'dataset $(touch${IFS}made) 90 40 200',
  'a command in backquotes': 'dataset `touch${IFS}made` 90 40 200',
  'a second command': 'dataset operation;touch${IFS}made 90 40 200',
  'a path': 'dataset ../operation 90 40 200',
  'a slash in a name': 'data/set operation 90 40 200',
  'an option': '-dataset operation 90 40 200',
  'a pattern for files': 'dataset * 90 40 200',
  'a backslash': String.raw`dataset operation\n 90 40 200`,
  'JSON after a name': 'dataset operation","dryRun":false 90 40 200',
  'a name in two lines': 'dataset oper\nation 90 40 200',
  'a letter with an accent': 'dataset opération 90 40 200',
  'days 0': 'dataset operation 0 40 200',
  'days below 0': 'dataset operation -90 40 200',
  'parts of days': 'dataset operation 0.5 40 200',
  'more days than there are': 'dataset operation 99999 40 200',
  'no ceiling': 'dataset operation 90 200',
  'a ceiling in words': 'dataset operation 90 many 200',
  'no rows': 'dataset operation 90 40 0',
} as const;

for (const shell of SHELLS) {
  suite(`Wrong usage, in ${shell.name}`, { concurrency: 2 }, () => {
    for (const [title, line] of Object.entries(WRONG_LINES)) {
      test(
        `${title} in the list of indices is refused`,
        inShell(shell, async (context, found) => {
          const { service, job } = await smallJob(context, found, { indices: [OPERATIONS, line] });
          const { code, stdout, stderr } = await job.execute();
          assert.match(stderr, /^Not an entity type, an aspect, 1 to 9999 days, and two numbers of rows: /);
          assert.deepEqual([code, stdout, service.requests.length], [1, '', 0]);
        }),
      );
    }

    test(
      'no place for the state is refused',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        for (const home of [undefined, '']) {
          const { code, stderr } = await job.execute({ HOME: home, STATE_DIR: undefined });
          assert.equal(stderr, 'Neither STATE_DIR nor HOME is set.\n');
          assert.deepEqual([code, service.requests.length], [1, 0]);
        }
        assert.equal((await job.execute({ HOME: undefined })).code, 0);
      }),
    );

    test(
      'an index that is listed twice is refused, also in another spelling',
      inShell(shell, async (context, found) => {
        for (const line of ['dataset operation 30 40 200', 'Dataset OPERATION 30 40 200']) {
          const { service, job } = await smallJob(context, found, { indices: [OPERATIONS, line] });
          const { code, stderr } = await job.execute();
          assert.equal(stderr, `Listed twice: ${line}\n`);
          assert.deepEqual([code, service.requests.length], [1, 0]);
        }
      }),
    );

    test(
      'checkpoints of pipelines are refused unless they are named once more',
      inShell(shell, async (context, found) => {
        const index = ['dataJob', 'datahubIngestionCheckpoint'] as const;
        const indices = [`${index.join(' ')} 90 40 200`];
        const run = async (settings: JobSettings): Promise<readonly [JobRun, rows: number]> => {
          const { service, job } = await smallJob(context, found, { indices, ...settings }, {}, { index });
          return [await job.execute(), rowCount(service, index)];
        };
        for (const stateIndices of ['', 'datajob/datahubingestioncheckpoint2', index[1]]) {
          const [refused, rows] = await run({ stateIndices });
          assert.equal(refused.stderr, `Checkpoints, not named in STATE_INDICES: ${indices[0]}\n`);
          assert.deepEqual([refused.code, rows], [1, 200]);
        }
        const [accepted, rows] = await run({ stateIndices: `x/y ${index.join('/')}` });
        assert.deepEqual([accepted.code, rows], [0, 180], accepted.stdout);
      }),
    );

    test(
      'a list without an index is refused',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { indices: ['', '  '] });
        const { code, stderr } = await job.execute();
        assert.match(stderr, /^No index: /);
        assert.deepEqual([code, service.requests.length], [1, 0]);
      }),
    );

    test(
      'a file in the place of the folder for the state is refused',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        await writeFile(job.stateFolder, '');
        const { code, stderr } = await job.execute();
        assert.match(stderr, /STATE_DIR can't be written: .*state\n$/);
        assert.deepEqual([code, service.requests.length], [1, 0]);
      }),
    );

    test(
      'an unknown argument is refused',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        for (const argument of ['--execute', 'yes', '-x']) {
          const { code, stderr } = await job.run({ EXECUTE: 'yes' }, argument);
          assert.match(stderr, /^Unknown argument\. /);
          assert.deepEqual([code, service.requests.length], [1, 0]);
        }
      }),
    );

    test(
      'no access token, or something else in its place, is refused',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        for (const token of ['', 'Bearer abc', 'abc"', 'abc\n', 'abc\nurl = "http://127.0.0.1:9"', String.raw`a\b`]) {
          const { code, stderr } = await job.execute({ DATAHUB_GMS_TOKEN: token });
          assert.equal(stderr, "The access token is missing or isn't one. See --help.\n");
          assert.deepEqual([code, service.requests.length], [1, 0]);
        }
      }),
    );

    test(
      'a file for the access token that is missing or a folder is refused, not replaced by the variable',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        await mkdir(join(job.home, 'folder'));
        for (const name of ['missing', 'folder']) {
          const { code, stderr } = await job.execute({ DATAHUB_GMS_TOKEN_FILE: join(job.home, name) });
          assert.match(stderr, /The file of the access token can't be read\.\n$/);
          assert.deepEqual([code, service.requests.length], [1, 0]);
        }
      }),
    );

    test(
      'a file for the access token counts before the variable, with or without a last line break',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        const file = join(job.home, 'token');
        for (const end of ['', '\n']) {
          await writeFile(file, service.adminToken + end);
          const { code } = await job.run({ DATAHUB_GMS_TOKEN_FILE: file, DATAHUB_GMS_TOKEN: 'another' });
          assert.equal(code, 0);
        }
        const sent = new Set(service.requests.map(({ headers }) => headers.authorization));
        assert.deepEqual([...sent], [`Bearer ${service.adminToken}`]);
      }),
    );
  });
}
