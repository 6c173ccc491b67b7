// Answers in each form that servers give them, and their way to the output.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../service/faults.ts';
import { DRY_RUN, EXECUTION } from './rows.ts';
import { inEachShell, type Register } from './situations.ts';

const register: Register = (name, body) => void test(name, body);

const SECOND = 1000;

/** Days at which calendars go wrong: ends of months and years, leap days, the last of a century's leap years. */
const DATES = ['2027-01-01', '2027-02-28', '2027-03-01', '2027-12-31', '2028-02-29', '2028-03-01', '2028-12-31'];
const LATER_DATES = ['2029-01-01', '2030-04-30', '2031-05-31', '2032-06-30', '2033-07-31', '2034-08-31', '2035-09-30'];
const LATEST_DATES = ['2036-02-29', '2037-10-31', '2096-02-29', '2099-11-30'];

inEachShell(register, 'An answer', {
  'with a comma in its percentage is understood': {
    options: { decimalSeparator: ',' },
    says: /: done\n$/,
    code: 0,
    sent: 1,
    left: 180,
  },
  'with NaN for its percentage is a count of no rows': {
    plan: { old: 0, kept: 0 },
    says: /: 0 of 0 rows before, .*: fewer than half/,
    code: 3,
    left: 0,
  },
  'with the status of a task is printed without its escapes': {
    says: /^\{"completed":true,(?=.*"total":20,)(?=.*"deleted":20,)(?=.*"taskId":"[^"\\]+")[^\\]*\n/m,
    code: 0,
    sent: 1,
    left: 180,
  },
  'with control characters, escape sequences or letters of other scripts reaches no terminal as it is': async (
    make,
  ) => {
    const bodies = [
      '{"message":"\u001b[31mred\u0007 \u009b2J \u202ereversed\r\u0000"}',
      '{"message":"one\ntwo"}',
      String.raw`{"message":"%s%n \u001b[2J \n $(id) ${'`id`'} \"quoted\""}`,
    ];
    for (const body of bodies) {
      const { service, job } = await make({ looks: 3 });
      const fault: Fault = { kind: 'status', status: 400, body };
      service.faults.add({ fault, match: EXECUTION });
      const [executed, counted] = [await job.execute(), await job.run()];
      assert.match(executed.stdout, /^dataset\/operation: 20 of 200 rows before, .*HTTP 400: [ -~]*\n$/);
      assert.equal(executed.stderr + counted.stderr, '');
      service.faults.add({ fault: { ...fault, status: 200, body: body.replace('message', 'value') }, match: DRY_RUN });
      const { stdout, stderr, code } = await job.execute();
      assert.match(stdout, /^dataset\/operation: .*not understood, HTTP 200: [ -~]*\n$/);
      assert.deepEqual([stderr, code], ['', 3]);
    }
  },
  'with its date is read right at any time of the calendar': async (make) => {
    // Without authentication, since a token would have expired.
    const { service, job } = await make({ pause: 0 }, { profile: '0.14' });
    for (const date of [...DATES, ...LATER_DATES, ...LATEST_DATES]) {
      const moment = Date.parse(`${date}T23:59:30Z`);
      service.clock.offsetMillis = moment - Date.now();
      const { offsetMillis } = service.clock;
      const before = performance.now();
      const { code, stdout } = await job.run();
      // The script may look at its own clock at any time of the run, and both clocks show whole seconds.
      const earliest = offsetMillis - (performance.now() - before) - SECOND;
      const seconds = Number(/ differ, .* by (\d+) seconds\n$/.exec(stdout)?.[1]);
      const skew = seconds * SECOND;
      assert.ok(skew >= earliest && skew <= offsetMillis + SECOND, `${date}: ${stdout}`);
      assert.equal(code, 3);
    }
  },
});
