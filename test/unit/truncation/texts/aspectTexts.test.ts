import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  onlyCopyText,
  cutOffProposalFor,
  reviewLines,
  stateQuestion,
} from '../../../../src/truncation/texts/aspectTexts.ts';
import { PLAN } from '../samples.ts';

const endTimeMillis = Date.UTC(2026, 4, 23, 22, 30);
const PROFILES = { ...PLAN, entityType: 'dataset', aspect: 'datasetprofile', endTimeMillis };
const OPERATIONS = { ...PROFILES, aspect: 'operation' };
const CHECKPOINTS = { ...PROFILES, entityType: 'dataJob', aspect: 'datahubIngestionCheckpoint' };
const OWN = { ...PROFILES, entityType: 'acme', aspect: 'quality' };

suite('Lines of a review about the rows', () => {
  test('describe their purpose, what is left without rows, and that there is no other copy', () => {
    const lines = reviewLines(PROFILES, 'UTC');
    assert.equal(lines.length, 3);
    assert.match(lines[0] ?? '', /disappear from the Stats tab\.$/);
    assert.match(lines[1] ?? '', /last profiled before May 23, 2026, 10:30\sPM is left without a profile\.$/);
    assert.equal(lines[2], onlyCopyText());
  });

  test("have the cut-off in the user's time zone", () => {
    assert.match(reviewLines(PROFILES, 'Europe/Berlin')[1] ?? '', /before May 24, 2026, 12:30\sAM/);
  });

  test('omit what does not apply, but never that there is no other copy', () => {
    assert.deepEqual(
      [OPERATIONS, CHECKPOINTS, OWN].map((plan) => reviewLines(plan, 'UTC').length),
      [2, 3, 1],
    );
    for (const plan of [OPERATIONS, CHECKPOINTS, OWN]) {
      assert.equal(reviewLines(plan, 'UTC').at(-1), onlyCopyText());
    }
  });

  test('contain the requests that find a snapshot, without a claim that there is one', () => {
    assert.match(onlyCopyText(), /^As far as we know/);
    assert.match(onlyCopyText(), /GET \/_snapshot\/_all .*GET \/_snapshot\/<repository>\/_all /);
  });
});

suite('Index that holds state', () => {
  test('has its own question with the cut-off', () => {
    const { question = '', detail = [] } = stateQuestion(CHECKPOINTS, 'UTC') ?? {};
    assert.match(question, /^Delete the state of pipelines that last ran before May 23, 2026, 10:30\sPM\?$/);
    assert.match(detail[0] ?? '', /^Pipelines that last ran before May 23, 2026, 10:30\sPM start over\.$/);
    assert.deepEqual(
      [PROFILES, OPERATIONS, OWN].map((plan) => stateQuestion(plan, 'UTC')),
      [undefined, undefined, undefined],
    );
  });

  test('has a proposed cut-off of two years, unlike any other', () => {
    assert.equal(cutOffProposalFor(CHECKPOINTS)?.days, 2 * 365);
    assert.match(cutOffProposalFor(CHECKPOINTS)?.reason ?? '', /two years/);
    assert.deepEqual([cutOffProposalFor(PROFILES), cutOffProposalFor(OWN)], [undefined, undefined]);
  });
});
