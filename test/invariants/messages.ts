/** Messages that the pages can send, and such as they never send. */
import type { OverviewPageMessage } from '../../src/pages/overview/protocol.ts';
import { emptyDraft, type PlanDraft } from '../../src/truncation/plan.ts';
import { CLUSTER_REQUESTS, type TruncationPageMessage } from '../../src/pages/truncation/protocol.ts';
import { CAUTION_KINDS } from '../../src/truncation/cautions.ts';
import { DAY } from './durations.ts';
import { OPERATIONS, type Target } from './truncations.ts';

/** Those that a draft has first: each change by the host makes it one more. */
const REVISIONS = [0, 1, 2, 3] as const;

/** One of each kind, or several. A kind that is missing here doesn't compile. */
type AllKinds<Message extends { readonly type: string }> = {
  readonly [Type in Message['type']]: readonly Extract<Message, { readonly type: Type }>[];
};

function draftOf({ entityType, aspect }: Target): PlanDraft {
  return { ...emptyDraft(entityType, aspect), endTimeMillis: Date.now() - 365 * DAY };
}

/** The message that ends the page of one index. */
export const CLOSING = { type: 'close' } as const satisfies TruncationPageMessage;

/** Without the one that ends it. @param target Index that the page is about. */
export function wizardMessages(target: Target = OPERATIONS): readonly TruncationPageMessage[] {
  const draft = draftOf(target);
  const all: AllKinds<TruncationPageMessage> = {
    // First, while the page is as it was.
    execute: [{ type: 'execute' }, { type: 'execute' }],
    ready: [{ type: 'ready', timeZone: 'UTC' }],
    edit: REVISIONS.map((revision) => ({
      type: 'edit',
      draft: { ...draft, batchSize: '1' },
      revision,
    })),
    dryRun: [{ type: 'dryRun' }],
    tick: CAUTION_KINDS.map((caution) => ({ type: 'tick', caution, isTicked: true, at: 0 })),
    cancel: [{ type: 'cancel' }],
    goBack: [{ type: 'goBack' }],
    startOver: [{ type: 'startOver' }],
    useDeleteByQuery: [{ type: 'useDeleteByQuery' }],
    copyTaskId: [{ type: 'copyTaskId' }],
    copyDetails: [{ type: 'copyDetails' }],
    signIn: [{ type: 'signIn' }],
    checkTask: [{ type: 'checkTask' }],
    countRowsByAge: [{ type: 'countRowsByAge' }],
    stopCounting: [{ type: 'stopCounting' }],
    automate: [{ type: 'automate' }],
    receipt: [{ type: 'receipt' }],
    copyRequests: CLUSTER_REQUESTS.map((kind) => ({ type: 'copyRequests', for: kind })),
    // A closed page does nothing more, so it comes after all others: `CLOSING`.
    close: [],
  };
  return Object.values(all).flat();
}

/** Names of indices that no server lists. */
export const UNLISTED: readonly string[] = ['', '../..', '__proto__', 'dataset/unlisted'];

/** @param id Name of an index. */
export function overviewMessages(id: string): readonly OverviewPageMessage[] {
  const jobId = crypto.randomUUID();
  const all: AllKinds<OverviewPageMessage> = {
    execute: [{ type: 'execute' }, { type: 'execute' }],
    dryRun: [{ type: 'dryRun', ids: [id], days: 365 }],
    dryRunAgain: [{ type: 'dryRunAgain' }],
    cancel: [{ type: 'cancel' }],
    automate: [{ type: 'automate' }],
    receipt: [{ type: 'receipt' }],
    truncateAlone: [{ type: 'truncateAlone', place: 0 }],
    show: [{ type: 'show', place: 0 }],
    tick: [
      { type: 'tick', place: 0, isTicked: false, at: 1, cautions: [] },
      { type: 'tick', place: 24, isTicked: true, at: 1, cautions: [...CAUTION_KINDS] },
    ],
    stop: [{ type: 'stop' }],
    startOver: [{ type: 'startOver' }],
    continue: [{ type: 'continue', jobId }],
    dismiss: [{ type: 'dismiss', jobId }],
    ready: [{ type: 'ready', timeZone: 'UTC' }],
    refresh: [{ type: 'refresh' }],
    truncate: [{ type: 'truncate', id }],
    remember: [{ type: 'remember', ids: [id], days: 365 }],
    showTruncation: [{ type: 'showTruncation', id }],
    addIndex: [{ type: 'addIndex' }],
    signIn: [{ type: 'signIn' }],
    copyDetails: [{ type: 'copyDetails' }],
  };
  return Object.values(all).flat();
}

/** What a message would be like that says more than a button does. */
const MORE = {
  confirmed: true,
  isConfirmed: true,
  isYes: true,
  dryRun: false,
  plan: { ...OPERATIONS, endTimeMillis: 1, dryRun: false },
  url: 'http://127.0.0.1:9/',
  command: 'metadataService.token.revoke',
};
const TYPES = ['send', 'confirmed', 'answer', 'claim', 'transmit', 'recounted', 'sent', 'command', 'constructor', ''];
const HUGE = 'x'.repeat(1_000_000);

function withMore(message: object): object {
  return { ...message, ...MORE };
}

/** Messages that no page sends, made of those that pages send. */
export function forgedMessages(messages: readonly { readonly type: string }[]): readonly unknown[] {
  return [
    ...messages.map(withMore),
    ...TYPES.map((type) => withMore({ type })),
    ...messages.map((message) => [message]),
    ...messages.map((message) => JSON.stringify(message)),
    JSON.parse('{"__proto__":{"type":"execute"}}'),
    { type: 'job', intent: { type: 'execute' } },
    { type: ['execute'] },
    { type: { toString: 'execute' } },
    { type: 'ready', timeZone: HUGE },
    ...REVISIONS.flatMap((revision) => [
      { type: 'edit', draft: { ...draftOf(OPERATIONS), aspect: HUGE }, revision },
      { type: 'edit', draft: { ...draftOf(OPERATIONS), endTimeMillis: Number.MAX_VALUE }, revision },
      { type: 'edit', draft: { ...draftOf(OPERATIONS), strategy: 'drop' }, revision },
      { type: 'edit', draft: null, revision },
    ]),
    { type: 'edit', draft: draftOf(OPERATIONS) },
    { type: 'edit', draft: draftOf(OPERATIONS), revision: String(REVISIONS[0]) },
    { type: 'tick', caution: 'everything', isTicked: true, at: 0 },
    { type: 'copyRequests', for: 'everything' },
    { type: 'truncate', id: HUGE },
    { type: 'dryRun', ids: [HUGE], days: 365 },
    { type: 'dryRun', ids: Array.from({ length: 26 }, String), days: 365 },
    { type: 'select', place: -1, isSelected: true },
    { type: 'select', place: 0.5, isSelected: true },
    { type: 'continue', jobId: '../../records/truncation' },
    undefined,
    null,
    0,
    'execute',
    [],
    {},
  ];
}
