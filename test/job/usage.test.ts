// Exit 1: wrong usage and wrong settings are refused before anything is sent.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { rowCount } from './rows.ts';
import { OPERATIONS } from './script.ts';
import { inEachShell, type Situation, type Register } from './situations.ts';

const register: Register = (name, body) => void test(name, body);

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

const CHECKPOINTS = ['dataJob', 'datahubIngestionCheckpoint'] as const;
const CHECKPOINT_LINE = `${CHECKPOINTS.join(' ')} 90 40 200`;

function refused(complains: RegExp, situation: Partial<Situation> = {}): Situation {
  return { says: /^$/, complains, code: 1, requests: 0, ...situation };
}

function refusedEach(
  title: string,
  values: readonly string[],
  one: (value: string) => Situation,
): Record<string, Situation> {
  return Object.fromEntries(values.map((value) => [`${title}: ${JSON.stringify(value)}`, one(value)]));
}

inEachShell(register, 'Wrong usage', {
  ...Object.fromEntries(
    Object.entries(WRONG_LINES).map(([title, line]) => [
      `${title} in the list of indices is refused`,
      refused(/^Not an entity type, an aspect, 1 to 9999 days, and two numbers of rows: /, {
        settings: { indices: [OPERATIONS, line] },
      }),
    ]),
  ),
  'no place for the state is refused': async (make) => {
    const { service, job } = await make();
    for (const home of [undefined, '']) {
      const { code, stderr } = await job.execute({ HOME: home, STATE_DIR: undefined });
      assert.equal(stderr, 'Neither STATE_DIR nor HOME is set.\n');
      assert.deepEqual([code, service.requests.length], [1, 0]);
    }
    assert.equal((await job.execute({ HOME: undefined })).code, 0);
  },
  ...refusedEach(
    'an index that is listed twice is refused, also in another spelling',
    ['dataset operation 30 40 200', 'Dataset OPERATION 30 40 200'],
    (line) => refused(new RegExp(`^Listed twice: ${line}\n$`), { settings: { indices: [OPERATIONS, line] } }),
  ),
  ...refusedEach(
    'checkpoints of pipelines are refused unless they are named once more',
    ['', 'datajob/datahubingestioncheckpoint2', CHECKPOINTS[1]],
    (stateIndices) =>
      refused(new RegExp(`^Checkpoints, not named in STATE_INDICES: ${CHECKPOINT_LINE}\n$`), {
        settings: { indices: [CHECKPOINT_LINE], stateIndices },
      }),
  ),
  'checkpoints of pipelines that are named once more are deleted': async (make) => {
    const settings = { indices: [CHECKPOINT_LINE], stateIndices: `x/y ${CHECKPOINTS.join('/')}` };
    const { service, job } = await make(settings, {}, { index: CHECKPOINTS });
    const { code, stdout } = await job.execute();
    assert.deepEqual([code, rowCount(service, CHECKPOINTS)], [0, 180], stdout);
  },
  'a list without an index is refused': refused(/^No index: /, { settings: { indices: ['', '  '] } }),
  'a file in the place of the folder for the state is refused': refused(/STATE_DIR can't be written: .*state\n$/, {
    before: ({ job }) => writeFile(job.stateFolder, ''),
  }),
  'an unknown argument is refused': async (make) => {
    const { service, job } = await make();
    for (const argument of ['--execute', 'yes', '-x']) {
      const { code, stderr } = await job.run({ EXECUTE: 'yes' }, argument);
      assert.match(stderr, /^Unknown argument\. /);
      assert.deepEqual([code, service.requests.length], [1, 0]);
    }
  },
  ...refusedEach(
    'no access token, or something else in its place, is refused',
    ['', 'Bearer abc', 'abc"', 'abc\n', 'abc\nurl = "http://127.0.0.1:9"', String.raw`a\b`],
    (token) =>
      refused(/^The access token is missing or isn't one\. See --help\.\n$/, {
        environment: { DATAHUB_GMS_TOKEN: token },
      }),
  ),
  ...refusedEach(
    'a file for the access token that is missing or a folder is refused, not replaced by the variable',
    ['missing', 'folder'],
    (name) =>
      refused(/The file of the access token can't be read\.\n$/, {
        before: async ({ job }) => {
          await mkdir(join(job.home, 'folder'));
          job.use({ DATAHUB_GMS_TOKEN_FILE: join(job.home, name) });
        },
      }),
  ),
  'a file for the access token counts before the variable, with or without a last line break': async (make) => {
    const { service, job } = await make();
    const file = join(job.home, 'token');
    for (const end of ['', '\n']) {
      await writeFile(file, service.adminToken + end);
      assert.equal((await job.run({ DATAHUB_GMS_TOKEN_FILE: file, DATAHUB_GMS_TOKEN: 'another' })).code, 0);
    }
    const sent = new Set(service.requests.map(({ headers }) => headers.authorization));
    assert.deepEqual([...sent], [`Bearer ${service.adminToken}`]);
  },
});
