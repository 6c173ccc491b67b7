/** Truncations in the tree, until they are forgotten. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { indexNameText } from '../indices/indexName.ts';
import { registrySpelling } from '../indices/timeseriesAspects.ts';
import { COMMANDS } from '../manifest.ts';
import { standstillOf } from '../truncation/texts/progressTexts.ts';
import { endingRemarks } from '../truncation/texts/endingTexts.ts';
import { longStatus, nextStepText, shortStatus } from '../truncation/texts/statusTexts.ts';
import type { TaskWatch } from '../truncation/watching/watch.ts';
import type { TruncationRef } from '../truncation/truncationCommands.ts';
import type { TruncationMark } from '../truncation/outcome.ts';
import { blockingReason, markOf, statusOf, type TruncationRecord } from '../truncation/sentTruncation.ts';
import type { JobStore } from '../truncation/jobStore.ts';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';
import { RowTooltip } from '../ui/tooltip.ts';
import { handleOf } from '../ui/rowHandles.ts';
import { ChildNode, coloredIcon, type ExplorerNode } from './node.ts';

/** Older ended truncations are hidden; a job has as many. */
const MOST_ENDED_ROWS = 25;

export class TruncationGroupNode extends ChildNode {
  readonly #jobs: JobStore;
  readonly #watch: TaskWatch;

  constructor(parent: ExplorerNode, jobs: JobStore, watch: TaskWatch) {
    super(parent);
    this.#jobs = jobs;
    this.#watch = watch;
  }

  get isEmpty(): boolean {
    const { connectionId } = this;
    return this.#jobs.of(connectionId).length === 0 && this.#jobs.unreadable(connectionId).length === 0;
  }

  item(): vscode.TreeItem {
    const running = this.#jobs
      .of(this.connectionId)
      .filter((record) => statusOf(record, Date.now()) === 'running').length;
    const item = new vscode.TreeItem(l10n.t('Truncations'), vscode.TreeItemCollapsibleState.Expanded);
    item.id = `${this.connectionId}/truncations`;
    item.iconPath = new vscode.ThemeIcon('history');
    item.contextValue = 'truncations';
    item.description = running === 0 ? '' : l10n.t('{0} running', running);
    return item;
  }

  children(): readonly ExplorerNode[] {
    const rows = this.#listedRecords().map((record) => new TruncationNode(this, record, this.#watch));
    const unreadable = this.#jobs.unreadable(this.connectionId);
    return [...rows, ...unreadable.map((id) => new UnreadableTruncationNode(this, id))];
  }

  async refresh(): Promise<void> {
    const running = this.#jobs.of(this.connectionId).filter((record) => statusOf(record, Date.now()) === 'running');
    await Promise.all(running.map((record) => this.#watch.checkNow(record)));
  }

  #listedRecords(): readonly TruncationRecord[] {
    const records = this.#jobs.of(this.connectionId);
    const ended = records.filter((record) => record.ending !== undefined && blockingReason(record) === undefined);
    const left = new Set(ended.slice(MOST_ENDED_ROWS));
    return records.filter((record) => !left.has(record));
  }
}

class TruncationNode extends ChildNode implements TruncationRef {
  readonly recordId: string;
  readonly #watch: TaskWatch;
  readonly record: TruncationRecord;

  constructor(parent: ExplorerNode, record: TruncationRecord, watch: TaskWatch) {
    super(parent);
    this.recordId = record.id;
    this.record = record;
    this.#watch = watch;
  }

  item(): vscode.TreeItem {
    const { record } = this;
    const label = indexNameText(registrySpelling(record.plan));
    const item = new vscode.TreeItem(label);
    item.id = `${this.connectionId}/truncation/${record.id}`;
    const poll = this.#watch.lastPoll(record.id);
    item.description = shortStatus(record, poll, Date.now());
    const mark = markOf(record, poll?.problem === undefined, Date.now());
    item.iconPath = truncationIcon(mark, standstillOf(poll?.progress, record) !== undefined);
    item.contextValue = contextOf(record);
    item.command = { command: COMMANDS.taskShow, title: l10n.t('Show Truncation'), arguments: [handleOf(this)] };
    item.accessibilityInformation = { label: `${label}, ${longStatus(record, poll, Date.now())}` };
    return item;
  }

  tooltip(): RowTooltip {
    const tooltip = new RowTooltip();
    const { exactTime } = formatsOf(language());
    const { progress, problem } = this.#watch.lastPoll(this.record.id) ?? {};
    const lines = [
      longStatus(this.record, { progress }, Date.now()),
      problem?.sentence ?? '',
      problem?.next ?? nextStepText(this.record, Date.now(), this.#watch.canCheck(this.record)) ?? '',
      ...endingRemarks(this.record, Date.now()),
      l10n.t('Rows dated up to {0}.', exactTime(this.record.plan.endTimeMillis)),
      l10n.t('Sent {0}', exactTime(this.record.sentAt)),
      this.record.taskId === undefined ? '' : l10n.t('Task {0}', this.record.taskId),
    ];
    for (const line of lines) {
      tooltip.text(line);
    }
    return tooltip;
  }
}

/** One that is sent has no task yet. */
function contextOf(record: TruncationRecord): string {
  if (record.taskId !== undefined) {
    return 'task;idKnown';
  }
  return statusOf(record, Date.now()) === 'sending' ? 'task;sending' : 'task';
}

/** @param isStill No rows are being deleted, so the icon doesn't spin. */
function truncationIcon(mark: TruncationMark, isStill: boolean): vscode.ThemeIcon {
  switch (mark) {
    case 'running':
      return isStill ? coloredIcon('sync', 'list.warningForeground') : new vscode.ThemeIcon('sync~spin');
    case 'done':
      return coloredIcon('pass', 'testing.iconPassed');
    case 'failed':
      return coloredIcon('error', 'list.errorForeground');
    case 'warning':
      return coloredIcon('warning', 'list.warningForeground');
    case 'unknown':
      return coloredIcon('question', 'list.warningForeground');
  }
}

/** May be running, so it blocks its connection until the user knows better. */
class UnreadableTruncationNode extends ChildNode implements TruncationRef {
  readonly recordId: string;

  constructor(parent: ExplorerNode, recordId: string) {
    super(parent);
    this.recordId = recordId;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(l10n.t("Truncation can't be read"));
    item.id = `${this.connectionId}/truncation/${this.recordId}`;
    item.description = l10n.t('may still be running');
    item.iconPath = coloredIcon('question', 'list.warningForeground');
    item.contextValue = 'unreadableTask';
    return item;
  }

  tooltip(): RowTooltip {
    return new RowTooltip().text(
      l10n.t(
        'Until you use "Forget Truncation", nothing can be deleted with this connection. Do so once you know that the truncation is over.',
      ),
    );
  }
}
