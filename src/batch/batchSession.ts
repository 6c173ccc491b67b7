/** A batch and the part of the overview's page that drives it. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import { confirmTypedText } from '../connections/connectionQuestions.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { connectionLine } from '../connections/role.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import type { IndexLists } from '../indices/indexLists.ts';
import { type IndexName, indexNameKey, indexNameText } from '../indices/indexName.ts';
import { language, plural } from '../language.ts';
import { COMMANDS } from '../manifest.ts';
import { copyGcRecipe } from '../recipe/copyRecipe.ts';
import type { IndexWithCutoff } from '../recipe/serverRecipe.ts';
import type { AgeHistogramStore } from '../rowsByAge/ageHistogramStore.ts';
import { toServiceFailure } from '../service/failure/failure.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import { systemClock, MILLIS_PER_DAY } from '../time.ts';
import { percentToDelete } from '../truncation/dryRun.ts';
import type { Problem } from '../truncation/outcome.ts';
import { type PlanDraft, draftFrom, emptyDraft, withSafeStrategy } from '../truncation/plan.ts';
import type { TruncationRecord } from '../truncation/record.ts';
import { executeReviewed } from '../truncation/executeReviewed.ts';
import type { ReceiptFileFormat } from '../truncation/receipt.ts';
import { notifyPageClosed, type RunFactory } from '../truncation/runFactory.ts';
import type { DryRunReview, ReviewedIndex } from '../truncation/state.ts';
import { unrecoverableText } from '../truncation/texts/consequenceTexts.ts';
import { cautionsFor } from '../truncation/cautions.ts';
import { cautionText } from '../truncation/texts/reviewTexts.ts';
import { taskTexts } from '../truncation/texts/taskTexts.ts';
import type { TruncationStore } from '../truncation/truncationStore.ts';
import type { TaskWatch } from '../truncation/watch.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import { formatsOf } from '../ui/formats.ts';
import { handleOf } from '../ui/handles.ts';
import type { Log } from '../ui/log.ts';
import { showWarning, confirm, type ModalParagraph } from '../ui/messages.ts';
import type { Notices } from '../ui/notices.ts';
import { saveFile } from '../ui/saveFile.ts';
import { excludesFromBatch, itemDraft, truncateAloneText, type BatchItem } from './batchItem.ts';
import { batchReceipt, batchReceiptFileName } from './batchReceipt.ts';
import { BatchRun, type BatchConfirmation } from './batchRun.ts';
import { itemsToContinue, type BatchStore } from './batchStore.ts';
import type { LastBatchStore } from './lastBatchStore.ts';
import type { BatchIntent, BatchView } from './protocol.ts';
import { batchView, stopMessage, underWayOf } from './view.ts';

export interface BatchSessionParts {
  readonly store: Pick<ConnectionStore, 'get' | 'getFresh' | 'onDidChange' | 'unreadable'>;
  readonly services: Pick<ServicePool, 'get'>;
  readonly rowsByAge: AgeHistogramStore;
  readonly indexLists: IndexLists;
  readonly records: TruncationStore;
  readonly batches: BatchStore;
  readonly lastBatches: LastBatchStore;
  readonly watch: TaskWatch;
  readonly newRun: RunFactory;
  readonly copyScheduledJob: (connection: Connection, indices: readonly ReviewedIndex[]) => Promise<void>;
  /** Called when other truncations may have become visible or hidden. */
  readonly showingChanged: () => void;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
  readonly log: Log;
}

/** The page that shows the batch. */
interface BatchSessionPage {
  /** Not called once the page is closed. */
  readonly isVisible: () => boolean;
  /** Called when the view changed. */
  readonly changed: () => void;
  readonly reveal: () => void;
}

export class BatchSession implements vscode.Disposable {
  readonly #parts: BatchSessionParts;
  readonly #connectionId: string;
  readonly #batch: BatchRun;
  readonly #subscription: vscode.Disposable;
  readonly #page: BatchSessionPage;
  #isPageClosed = false;
  /** Age that the last selection was counted with. */
  #days: number | undefined;

  constructor(connectionId: string, parts: BatchSessionParts, page: BatchSessionPage) {
    this.#parts = parts;
    this.#page = page;
    this.#connectionId = connectionId;
    const { batches, newRun, showingChanged } = parts;
    this.#batch = new BatchRun(connectionId, {
      ...parts,
      clock: systemClock,
      newRun: (draft, options) => newRun(connectionId, draft, options),
      blockingProblem: (review, recordId) => this.#blockingProblem(review, recordId),
      notifyPageClosed,
    });
    this.#subscription = vscode.Disposable.from(
      this.#batch.onDidChange(page.changed),
      this.#batch.onDidChange(showingChanged),
      batches.onDidChange((id) => id === connectionId && page.changed()),
    );
  }

  get view(): BatchView {
    const { indexLists, records, batches, watch } = this.#parts;
    return batchView({
      isReadOnly: this.#connection?.role === 'readOnly',
      batch: this.#batch,
      batches: batches.of(this.#connectionId, this.#connection?.baseUrl),
      sizeOf: (target) => indexLists.get(this.#connectionId).reportedSizeOf(target),
      recordOf: (recordId) => records.get(this.#connectionId, recordId),
      recordsOf: (index) => this.#recordsOf(index),
      watch,
      now: Date.now(),
    });
  }

  /** @param name IANA name of the user's. An unknown one is read as the host's own. */
  set timeZone(name: string) {
    this.#batch.timeZone = name;
  }

  /** True if the page shows the progress of a truncation. */
  has(recordId: string): boolean {
    return this.#batch.has(recordId);
  }

  /** @param findTarget Finds a row of the table by its ID. Undefined for an index that can't be truncated. */
  async handle(intent: BatchIntent, findTarget: (id: string) => IndexName | undefined): Promise<void> {
    const batch = this.#batch;
    switch (intent.type) {
      case 'dryRun': {
        const endTimeMillis = Date.now() - intent.days * MILLIS_PER_DAY;
        this.#days = intent.days;
        const targets = new Map(
          intent.ids.flatMap((id) => {
            const target = findTarget(id);
            return target === undefined ? [] : [[indexNameKey(target), target] as const];
          }),
        );
        return batch.dryRun([...targets.values()].map((target) => itemDraft(draftOf({ ...target, endTimeMillis }))));
      }
      case 'dryRunAgain':
        return batch.dryRunAgain();
      case 'copyRecipe': {
        const cutoffs = cutoffsOf(batch.items);
        const connection = this.#connection;
        return cutoffs.length === 0 || connection === undefined ? undefined : this.#copyRecipe(cutoffs, connection);
      }
      case 'copyJob':
        return this.#copyJob();
      case 'copyReceipt':
        await this.#parts.clipboard.copy(this.#receipt(intent.format));
        return this.#parts.notices.done(l10n.t('Copied'));
      case 'saveReceipt':
        return this.#saveReceipt();
      case 'cancel':
        return batch.cancel();
      case 'select': {
        const item = batch.items[intent.place];
        return item && batch.select(item, intent.isSelected);
      }
      case 'execute':
        await executeReviewed(batch, (question) => this.#confirm(question));
        return this.#notifyStopped();
      case 'stop':
        return batch.stop();
      case 'startOver':
        return batch.startOver();
      case 'continue':
        return this.#continue(intent.recordId);
      case 'dismiss':
        await this.#parts.batches.forget({ connectionId: this.#connectionId, id: intent.recordId });
        return;
    }
  }

  /** As it is stored now. Undefined if it was removed. */
  get #connection(): Connection | undefined {
    return this.#parts.store.get(this.#connectionId);
  }

  dispose(): void {
    this.#isPageClosed = true;
    this.#subscription.dispose();
    this.#batch.dispose();
  }

  /** Says why the rest was not sent, unless the page shows it or the user removed the connection. */
  #notifyStopped(): void {
    const connection = this.#connection;
    if (connection === undefined || (!this.#isPageClosed && this.#page.isVisible())) {
      return;
    }
    const message = stopMessage({
      batch: this.#batch,
      record: this.#parts.batches.of(connection.id).find(({ id }) => id === this.#batch.recordId),
      connectionName: connection.name,
      isPageClosed: this.#isPageClosed,
    });
    if (message !== undefined) {
      const show = l10n.t('Show');
      void showWarning(message, show).then((chosen) => {
        if (chosen === show) {
          void vscode.commands.executeCommand(COMMANDS.indexOverview, handleOf({ connectionId: connection.id }));
        }
      });
    }
  }

  async #confirm(question: BatchConfirmation): Promise<boolean> {
    const isYes = await confirmBatch(question);
    if (isYes) {
      this.#rememberSelection(question);
    }
    // VS Code may focus another editor after its questions.
    if (isYes && !this.#isPageClosed && this.#page.isVisible()) {
      this.#page.reveal();
    }
    return isYes;
  }

  /** The rest of an interrupted batch is no new selection. */
  #rememberSelection({ connection, reviews }: BatchConfirmation): void {
    const days = this.#days;
    if (days !== undefined && this.#batch.recordId === undefined) {
      const indices = reviews.map(({ plan }) => plan);
      void this.#parts.lastBatches
        .keep(connection, { indices, days })
        .catch((thrown: unknown) => this.#parts.log.failure(toServiceFailure(thrown)));
    }
  }

  async #copyRecipe(cutoffs: readonly IndexWithCutoff[], connection: Connection): Promise<void> {
    const { services, indexLists, watch, clipboard, notices } = this.#parts;
    const server = { connection, service: services.get(connection), list: indexLists.get(connection.id), watch };
    await copyGcRecipe(cutoffs, server, clipboard).catch((thrown: unknown) =>
      notices.failure(toServiceFailure(thrown), connection),
    );
  }

  async #copyJob(): Promise<void> {
    const { copyScheduledJob, notices } = this.#parts;
    const connection = this.#connection;
    // The connection may have another address since, where these rows are not.
    const items = this.#batch.items.filter(
      ({ run }) => (run?.record?.baseUrl ?? connection?.baseUrl) === connection?.baseUrl,
    );
    const indices = items.flatMap(({ forJob }) => forJob ?? []);
    if (connection !== undefined) {
      await copyScheduledJob(connection, indices).catch((thrown: unknown) =>
        notices.failure(toServiceFailure(thrown), connection),
      );
    }
  }

  /** Continues an interrupted batch as it is stored now: another window may have sent some of its items. */
  async #continue(recordId: string): Promise<void> {
    const { batches, records } = this.#parts;
    await Promise.all([batches.reload(), records.reload()]);
    const left = batches.of(this.#connectionId, this.#connection?.baseUrl).find(({ id }) => id === recordId);
    const recordOf = (id: string): TruncationRecord | undefined => records.get(this.#connectionId, id);
    if (left !== undefined && underWayOf(left, { recordOf, now: Date.now() }) === undefined) {
      const items = itemsToContinue(left, (index) => this.#recordsOf(index));
      await this.#batch.dryRun(
        items.map(({ plan }) => itemDraft(withSafeStrategy(draftFrom(plan)))),
        left,
      );
    }
  }

  /** Facts about the truncations that were sent, in their order. */
  #receipt(format: ReceiptFileFormat): string {
    return batchReceipt(this.#batch.plannedItems, this.#connection?.name ?? '', Date.now(), format);
  }

  async #saveReceipt(): Promise<void> {
    const question = {
      title: l10n.t('Save Receipt'),
      fileName: batchReceiptFileName(Date.now()),
      folder: undefined,
      filters: { Markdown: ['md'], JSON: ['json'] },
      saveLabel: undefined,
    };
    const folder = await saveFile(question, (format) => this.#receipt(format === 'json' ? 'json' : 'markdown'));
    if (folder !== undefined) {
      this.#parts.notices.done(l10n.t('Receipt saved'));
    }
  }

  /** Only the wizard lets the user accept a caution. */
  #blockingProblem(review: DryRunReview, recordId: string): Problem | undefined {
    const connection = this.#connection;
    const { plan } = review;
    // Earlier truncations are a matter of the question, which names them.
    const cautions = cautionsFor({ endTimeMillis: plan.endTimeMillis, now: Date.now(), review, earlier: [] });
    const caution = cautions.find(excludesFromBatch);
    const blocking = connection && this.#parts.records.inTheWay(connection, plan, recordId, Date.now());
    return blocking === undefined
      ? caution && {
          sentence: cautionText(caution, formatsOf(language(), this.#batch.timeZone)),
          next: truncateAloneText(),
        }
      : taskTexts.blockedBy(blocking);
  }

  /** The stored truncations of an index, whichever connection sent them. */
  #recordsOf(index: IndexName): readonly TruncationRecord[] {
    const connection = this.#connection;
    return connection === undefined ? [] : this.#parts.records.sentTo(connection, index);
  }
}

function cutoffsOf(items: readonly BatchItem[]): readonly IndexWithCutoff[] {
  return items
    .filter(({ isForRecipe }) => isForRecipe)
    .flatMap(({ review, firstReviewAt: chosenAt }) =>
      review === undefined || chosenAt === undefined ? [] : [{ ...review.plan, chosenAt }],
    );
}

function draftOf({ entityType, aspect, endTimeMillis }: IndexName & Pick<TruncationPlan, 'endTimeMillis'>): PlanDraft {
  return { ...emptyDraft(entityType, aspect), endTimeMillis };
}

/** Asks for the name of the connection, then in a modal that lists every index with its rows. */
async function confirmBatch(confirmation: BatchConfirmation): Promise<boolean> {
  const { connection, reviews } = confirmation;
  const { name } = connection;
  const { number } = formatsOf(language());
  const rows = reviews.reduce((sum, { report }) => sum + (report.rows?.toDelete ?? 0), 0);
  const [rowCount, indexCount] = [number(rows), number(reviews.length)];
  const question = plural(
    reviews.length,
    l10n.t('Delete rows from {0} index on {1}?', indexCount, name),
    l10n.t('Delete rows from {0} indices on {1}?', indexCount, name),
  );
  return (
    (await confirmTypedText(connection, name, question)) &&
    confirm(
      question,
      questionParagraphs(confirmation),
      plural(rows, l10n.t('Delete {0} Row', rowCount), l10n.t('Delete {0} Rows', rowCount)),
    )
  );
}

function questionParagraphs({ connection, reviews, cautions, timeZone }: BatchConfirmation): readonly ModalParagraph[] {
  const formats = formatsOf(language(), timeZone);
  const cutoffs = new Set(reviews.map(({ plan }) => plan.endTimeMillis));
  const [shared] = cutoffs.size === 1 ? cutoffs : [];
  return [
    connectionLine(connection),
    ...(shared === undefined ? [] : [l10n.t('Rows up to and including: {0}', formats.fullTime(shared))]),
    // Before the list: VS Code cuts off the end of a long question in a low window.
    unrecoverableText(),
    ...cautions.map(({ plan, caution }) => `${indexNameText(plan)}: ${cautionText(caution, formats)}`),
    reviews.map((review) => `• ${reviewLine(review, shared === undefined ? timeZone : undefined)}`),
  ];
}

/** @param timeZone The user's, if the cutoffs differ. */
function reviewLine({ plan, report }: DryRunReview, timeZone: string | undefined): string {
  const { number, percent, fullTime } = formatsOf(language(), timeZone);
  const { toDelete = 0, total = 0 } = report.rows ?? {};
  const rows = [
    indexNameText(plan),
    number(toDelete),
    number(total),
    percent(percentToDelete({ toDelete, total })),
  ] as const;
  return timeZone === undefined
    ? l10n.t('{0}: {1} of {2} rows ({3})', ...rows)
    : l10n.t('{0}: {1} of {2} rows ({3}), up to {4}', ...rows, fullTime(plan.endTimeMillis));
}
