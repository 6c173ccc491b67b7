// Where other shells and their tools may differ from dash.
import assert from 'node:assert/strict';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { EXECUTION } from './rows.ts';
import { OPERATIONS } from './script.ts';
import { OTHER_SHELLS } from './shells.ts';
import { testsIn, type SmallJob, type Table } from './situations.ts';

const DONE = { says: /: 20 of 200 rows before, 0 of 180 after: done\n$/, code: 0, sent: 1, left: 180 } as const;

/** A lock that bash would take for a number with a command in it. */
async function holdByCommand({ job }: SmallJob): Promise<void> {
  await mkdir(join(job.stateFolder, 'lock'), { recursive: true });
  await writeFile(join(job.stateFolder, 'lock', 'since'), `a[$(>${join(job.home, 'made')})] 4711\n`);
}

const THE_SAME: Table = {
  'It deletes': DONE,
  'A lock runs no command': {
    before: holdByCommand,
    says: /^$/,
    complains: /^Another run starts\.\n$/,
    code: 75,
    requests: 0,
    afterwards: ({ job }) => assert.rejects(stat(join(job.home, 'made'))),
  },
  'A clock that is 6 minutes late is noticed': {
    before: ({ service }) => void (service.clock.offsetMillis = -360_000),
    says: /this clock and the server's Date header differ, .* by 3[56]\d seconds\n$/,
    code: 3,
  },
  'A lost answer is known by its rows, and nothing is sent again': {
    ...DONE,
    faults: [{ fault: { kind: 'cutAfter' }, match: EXECUTION }],
    says: /, 0 of 180 after: the answer was lost; done\n$/,
    code: 5,
  },
  'A refusal is one': {
    faults: [{ fault: { kind: 'status', status: 403, body: '{"message":"No."}' }, match: EXECUTION }],
    says: /: refused, HTTP 403: "message":"No\."\n$/,
    code: 2,
    sent: 1,
  },
  'A wrong line is refused': {
    settings: { indices: [OPERATIONS, 'dataset $(touch${IFS}made) 90 40 200'] },
    says: /^$/,
    complains: /^Not an entity type, an aspect, 1 to 9999 days, and two numbers of rows: /,
    code: 1,
    requests: 0,
  },
};

for (const shell of OTHER_SHELLS) {
  suite(`In ${shell.name}`, { concurrency: 4 }, () => {
    for (const [name, body] of testsIn(shell, THE_SAME)) test(name, body);
  });
}
