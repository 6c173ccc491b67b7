import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  lossText,
  placeText,
  snapshotText,
  unrecoverable,
  bytesToDelete,
  canMerge,
} from '../../../../src/truncation/texts/consequenceTexts.ts';
import { PLAN, FAILED, FINISHED, LOST, RECORD, REINDEX, UNKNOWN_WORDS, dryRunText } from '../samples.ts';
import { parseDryRun } from '../../../../src/truncation/dryRun.ts';

const endTimeMillis = Date.UTC(2026, 4, 23, 22, 30);
const PROFILES = { ...PLAN, entityType: 'dataset', aspect: 'datasetprofile', endTimeMillis };
const OWN = { ...PROFILES, entityType: 'acme', aspect: 'quality' };

suite('Consequences of a deletion', () => {
  test("are in one sentence with the cutoff in the user's time zone", () => {
    assert.match(
      lossText(PROFILES, 'UTC') ?? '',
      /^Feeds .*: one last profiled before May 23, 2026, 10:30\sPM is left/,
    );
    assert.match(lossText(PROFILES, 'Europe/Berlin') ?? '', /before May 24, 2026, 12:30\sAM/);
    assert.equal(lossText(OWN, 'UTC'), undefined);
  });

  test('name a snapshot on production, and the requests that find one', () => {
    assert.match(unrecoverable(true), /look for a snapshot first\.$/);
    assert.match(snapshotText(), /GET \/_snapshot\/_all .*GET \/_snapshot\/<repository>\/_all /);
  });
});

const ENDED = { ...RECORD, ending: FINISHED };
const ON_POSTGRES = { ...ENDED, taskId: 'c56a4180-65aa-42ec-a945-5fd21dec0538' };

suite('Merge request', () => {
  for (const [what, record, isOffered] of [
    ['rows were deleted by query', ENDED, true],
    ['it runs', RECORD, false],
    ['it failed', { ...ENDED, ending: FAILED }, false],
    ['its response was lost', { ...ENDED, ending: LOST }, false],
    ['rows were copied', { ...ENDED, report: REINDEX }, false],
    ["it isn't known how rows were deleted", { ...ENDED, report: UNKNOWN_WORDS }, false],
    ['a table has the rows', ON_POSTGRES, false],
  ] as const) {
    test(`is ${isOffered ? '' : 'not '}offered if ${what}`, () => assert.equal(canMerge(record), isOffered));
  }
});

type SizedReport = Parameters<typeof bytesToDelete>[0];
const IN_PLACE: SizedReport = { report: parseDryRun(dryRunText(20, 200)), size: 1_000_000 };
const REINDEXED: SizedReport = { report: parseDryRun(dryRunText(150, 200)), size: 2_000_000 };

suite('Disk space of the rows to delete', () => {
  test('is their share of the index, whatever the strategy', () => {
    assert.equal(bytesToDelete(IN_PLACE), 100_000);
    assert.equal(bytesToDelete(REINDEXED), 1_500_000);
  });

  test('is unknown if rows or size are unknown', () => {
    assert.equal(bytesToDelete({ ...IN_PLACE, size: undefined }), undefined);
    assert.equal(bytesToDelete({ ...IN_PLACE, report: UNKNOWN_WORDS }), undefined);
  });
});

suite('The place of a deletion', () => {
  for (const [name, baseUrl, text] of [
    ['prod', 'https://gms.example.com/gms/', 'prod (gms.example.com/gms)'],
    ['gms.example.com', 'https://gms.example.com/gms', 'gms.example.com (gms.example.com/gms)'],
    ['localhost:8080', 'http://localhost:8080', 'localhost:8080'],
  ] as const) {
    test(`has its address, but not twice: ${text}`, () => assert.equal(placeText({ name, baseUrl }), text));
  }
});
