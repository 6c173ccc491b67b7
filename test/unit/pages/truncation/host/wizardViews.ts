/** Views of the wizard's page, of a connection and a state. */
import type { Connection } from '../../../../../src/connections/connection.ts';
import type { DryRunReview, TruncationState } from '../../../../../src/truncation/state.ts';
import type { WizardPageView } from '../../../../../src/pages/truncation/protocol.ts';
import { wizardPageView, type WizardViewFacts } from '../../../../../src/pages/truncation/host/view.ts';
import { DRAFT, NOW, RECORD, REVIEW, exactly } from '../../../truncation/samples.ts';

export const CONNECTION: Connection = {
  id: RECORD.connectionId,
  name: 'Production',
  baseUrl: 'https://datahub.example.com',
  actorUrn: 'urn:li:corpuser:jdoe',
  role: 'development',
  createdAt: NOW,
};

/** The view of a truncation, with facts that most tests don't care about. */
export function wizardViewOf(state: TruncationState, facts: Partial<WizardViewFacts> = {}): WizardPageView {
  return wizardPageView({
    state,
    cautions: [],
    connection: CONNECTION,
    indices: [],
    indexSize: exactly(undefined),
    forceFlagsKnown: true,
    isOnPostgres: false,
    record: undefined,
    recordId: RECORD.id,
    progress: undefined,
    watchProblem: undefined,
    canCheck: true,
    now: NOW,
    locale: 'en',
    timeZone: 'UTC',
    ...facts,
  });
}

export function reviewed(review: Partial<DryRunReview>, draft = DRAFT): TruncationState {
  return { phase: 'reviewed', draft, review: { ...REVIEW, ...review } };
}
