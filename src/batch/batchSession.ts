/** The host side of truncating several indices from the overview of a connection. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { indexNameKey } from '../indices/indexName.ts';
import type { Connection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import type { IndexLists } from '../indices/indexLists.ts';
import { systemClock } from '../service/clock.ts';
import { toServiceFailure } from '../service/failure/failure.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import type { Log } from '../ui/log.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import { showWarning } from '../ui/messages.ts';
import type { Notices } from '../ui/notices.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { cautionFor, draftFrom, emptyDraft, withSafeStrategy } from '../truncation/plan.ts';
import type { PlanDraft } from '../truncation/plan.ts';
import { statusOf } from '../truncation/record.ts';
import type { TruncationRecord } from '../truncation/record.ts';
import type { Problem } from '../truncation/problem.ts';
import { cautionText } from '../truncation/texts/reviewTexts.ts';
import { taskTexts } from '../truncation/texts/taskTexts.ts';
import { copyRecipe } from '../recipe/copyRecipe.ts';
import type { ChosenCutOff } from '../recipe/recipeRefusal.ts';
import type { AgeHistogramStore } from '../rowsByAge/ageHistogramStore.ts';
import type { RunFactory } from '../truncation/runFactory.ts';
import type { TruncationStore } from '../truncation/truncationStore.ts';
import type { TaskWatch } from '../truncation/watch.ts';
import type { BatchItem } from './batchItem.ts';
import { plansLeft } from './batchRecord.ts';
import { BatchRun } from './batchRun.ts';
import type { BatchStore } from './batchStore.ts';
import { confirmBatch } from './confirmBatch.ts';
import type { BatchIntent, BatchView } from './protocol.ts';
import { stopMessage } from './stopMessage.ts';
import { tellStop } from './tellStop.ts';
import { batchView, underWayOf } from './view.ts';

export interface BatchSessionParts {
  readonly store: Pick<ConnectionStore, 'onDidChange'>;
  readonly services: Pick<ServicePool, 'get'>;
  readonly rowsByAge: AgeHistogramStore;
  readonly indexLists: IndexLists;
  readonly records: TruncationStore;
  readonly batches: BatchStore;
  readonly watch: TaskWatch;
  readonly newRun: RunFactory;
  /** Told when other truncations may be in sight, or out of sight. */
  readonly showingChanged: () => void;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
  readonly log: Log;
}

/** Where they are shown. */
interface BatchSessionPage {
  /** Not asked any more once it is closed. */
  readonly isVisible: () => boolean;
  /** Something else is to be shown. */
  readonly changed: () => void;
  /** Opens the wizard. */
  readonly truncateAlone: (draft: PlanDraft) => Promise<void>;
}

type Target = Pick<PlanDraft, 'entityType' | 'aspect'>;

export class Several implements vscode.Disposable {
  readonly #parts: BatchSessionParts;
  readonly #connectionId: string;
  readonly #connection: () => Connection | undefined;
  readonly #batch: BatchRun;
  readonly #subscription: vscode.Disposable;
  readonly #page: BatchSessionPage;
  #isPageClosed = false;

  /** @param connection As it is stored; undefined once it was removed. */
  constructor(
    connectionId: string,
    connection: () => Connection | undefined,
    parts: BatchSessionParts,
    page: BatchSessionPage,
  ) {
    this.#parts = parts;
    this.#page = page;
    this.#connectionId = connectionId;
    this.#connection = connection;
    const { store, records, batches, watch, newRun, showingChanged, log } = parts;
    this.#batch = new BatchRun({
      connectionId,
      connection,
      onDidChangeConnections: store.onDidChange,
      newRun: (draft, options) => newRun(connectionId, draft, options),
      records,
      batches,
      watch,
      blocked: (plan, recordId) => this.#blocked(plan, recordId),
      confirm: confirmBatch,
      notifyPageClosed: () =>
        void showWarning(l10n.t('Nothing was deleted. The page was closed before the last question was answered.')),
      clock: systemClock,
      observe: (failure) => log.failure(failure),
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
      isReadOnly: this.#connection()?.role === 'readOnly',
      batch: this.#batch,
      batches: batches.of(this.#connectionId, this.#connection()?.baseUrl),
      sizeOf: (target) => indexLists.get(this.#connectionId).sizeOf(target),
      isRunning: (item) => this.#isRunning(item),
      recordOf: (recordId) => records.get(this.#connectionId, recordId),
      progressOf: (recordId) => watch.progress(recordId),
      now: Date.now(),
    });
  }

  /** Whether the page shows how a truncation goes on. */
  has(recordId: string): boolean {
    return this.#batch.has(recordId);
  }

  /** @param targetOf What a truncation calls an index of the table; undefined for one that it doesn't reach. */
  async take(intent: BatchIntent, targetOf: (id: string) => Target | undefined): Promise<void> {
    const batch = this.#batch;
    switch (intent.does) {
      case 'dryRun': {
        batch.timeZone = intent.timeZone;
        const endTimeMillis = Date.now() - intent.days * MILLIS_PER_DAY;
        const targets = new Map(
          intent.ids.flatMap((id) => {
            const target = targetOf(id);
            return target === undefined ? [] : [[indexNameKey(target), target] as const];
          }),
        );
        return batch.dryRun([...targets.values()].map((target) => draftOf({ ...target, endTimeMillis })));
      }
      case 'dryRunAgain':
        return batch.dryRunAgain();
      case 'copyRecipe': {
        const cutOffs = cutOffsOf(batch.items);
        const connection = this.#connection();
        return cutOffs.length === 0 || connection === undefined ? undefined : this.#copyRecipe(cutOffs, connection);
      }
      case 'cancel':
        return batch.cancel();
      case 'take': {
        const item = batch.items[intent.place];
        return item && batch.takeOut(item, !intent.isIn);
      }
      case 'alone': {
        const item = batch.items[intent.place];
        return item && this.#page.truncateAlone(item.draft);
      }
      case 'execute':
        await batch.execute();
        return this.#tellStop();
      case 'stop':
        return batch.stop();
      case 'leave':
        return batch.startOver();
      case 'goOn':
        batch.timeZone = intent.timeZone;
        return this.#goOn(intent.recordId);
      case 'dismiss':
        return this.#parts.batches.dismiss({ connectionId: this.#connectionId, id: intent.recordId });
    }
  }

  dispose(): void {
    this.#isPageClosed = true;
    this.#subscription.dispose();
    this.#batch.dispose();
  }

  /** A connection that was removed takes along what was to be sent, and was asked about. */
  #tellStop(): void {
    const connection = this.#connection();
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
      tellStop(message, { connectionId: connection.id });
    }
  }

  async #copyRecipe(cutOffs: readonly ChosenCutOff[], connection: Connection): Promise<void> {
    const { services, indexLists, watch, clipboard, notices } = this.#parts;
    const server = { connection, service: services.get(connection), list: indexLists.get(connection.id), watch };
    await copyRecipe(cutOffs, server, clipboard).catch((thrown: unknown) =>
      notices.failure(toServiceFailure(thrown), connection),
    );
  }

  /** From how they stand now: another window may have sent some of them. */
  async #goOn(recordId: string): Promise<void> {
    const { batches, records } = this.#parts;
    await Promise.all([batches.reload(), records.reload()]);
    const left = batches.of(this.#connectionId, this.#connection()?.baseUrl).find(({ id }) => id === recordId);
    const recordOf = (id: string): TruncationRecord | undefined => records.get(this.#connectionId, id);
    if (left !== undefined && underWayOf(left, { recordOf, now: Date.now() }) === undefined) {
      await this.#batch.dryRun(plansLeft(left).map(draftFrom).map(withSafeStrategy), left);
    }
  }

  /** Alone a cut-off of the last day may be confirmed; several at once are limited by whole days, and it is never that near. */
  #blocked(plan: TruncationPlan, recordId: string): Problem | undefined {
    const connection = this.#connection();
    const caution = cautionFor(plan.endTimeMillis, Date.now());
    const blocking = connection && this.#parts.records.blocking(connection, plan, recordId);
    return blocking === undefined ? caution && { sentence: cautionText(caution) } : taskTexts.blockedBy(blocking);
  }

  #isRunning({ draft, run }: BatchItem): boolean {
    const connection = this.#connection();
    return (
      connection !== undefined &&
      this.#parts.records
        .sentTo(connection, draft)
        .some((record) => record.id !== run?.recordId && ['sending', 'running'].includes(statusOf(record, Date.now())))
    );
  }
}

function cutOffsOf(items: readonly BatchItem[]): readonly ChosenCutOff[] {
  return items
    .filter(({ isForRecipe }) => isForRecipe)
    .flatMap(({ review }) => (review === undefined ? [] : [{ ...review.plan, chosenAt: review.at }]));
}

function draftOf({ entityType, aspect, endTimeMillis }: Target & Pick<TruncationPlan, 'endTimeMillis'>): PlanDraft {
  return { ...emptyDraft(entityType, aspect), endTimeMillis };
}
