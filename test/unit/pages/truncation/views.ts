/** Minimal views of the truncation page, for tests to extend. */
import type {
  DryRunReportView,
  OutcomeView,
  RowsByAgeView,
  TruncationPageView,
} from '../../../../src/pages/truncation/protocol.ts';
import { emptyDraft } from '../../../../src/truncation/plan.ts';

export const EDITING: TruncationPageView = {
  phase: 'editing',
  connection: {
    name: 'Production',
    baseUrl: 'https://metadata.example.com',
    actor: 'urn:li:corpuser:jane',
    warning: undefined,
    role: undefined,
  },
  draft: emptyDraft('dataset', 'datasetprofile'),
  indexBytes: undefined,
  cautions: [],
  proposal: undefined,
  canChooseStrategy: false,
  rowsByAge: undefined,
  report: undefined,
  failure: undefined,
  outcome: undefined,
  primary: { intent: 'dryRun', label: 'Dry Run', enabled: true, reason: undefined },
  restore: { connectionId: '1', recordId: undefined },
};

export const REPORT: DryRunReportView = {
  heading: 'Delete 134,517 of 135,600 rows?',
  scope: 'Rows dated up to today, as Jane.',
  rows: { toDelete: 134_517, total: 135_600, percent: 99.2, size: undefined },
  consequences: "Deleted rows can't be recovered.",
  strategy: 'Reindex',
  details: [],
  at: 1,
  notice: undefined,
};

export const OUTCOME: OutcomeView = {
  state: 'running',
  headline: 'Deleting.',
  next: undefined,
  scope: 'Rows dated up to today.',
  isTrouble: false,
  isSignedOut: undefined,
  percent: 11,
  pace: undefined,
  lastCheck: undefined,
  canCheck: true,
  details: [],
};

export const NOTHING_COUNTED: RowsByAgeView = {
  state: 'counting',
  samples: [],
  total: 0,
  at: 0,
  left: 12,
  changedMeanwhile: false,
  failure: undefined,
};
