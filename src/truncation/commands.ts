/** Commands for truncations that were sent: show, follow, copy the task ID, forget. */
import * as l10n from '@vscode/l10n';
import { indexNameText } from '../indices/indexName.ts';
import type { Connection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { type ConnectionRef, isConnectionRef, pickConnection } from '../connections/pickConnection.ts';
import { productionLine } from '../connections/role.ts';
import { COMMANDS } from '../manifest.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import type { CommandRegistry } from '../ui/commands.ts';
import { singleStep, askPick } from '../ui/inputSteps.ts';
import { confirm, showInformation } from '../ui/messages.ts';
import type { Notices } from '../ui/notices.ts';
import type { FollowedTruncations } from './follow.ts';
import { statusText } from './texts/statusTexts.ts';
import { type TruncationRecord, blockingReason, statusOf } from './record.ts';
import type { JobStore } from './jobStore.ts';
import { language, plural } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';

/** The argument that commands get from the tree. */
export interface TruncationRef extends ConnectionRef {
  readonly recordId: string;
}

interface TruncationCommandsOptions {
  readonly store: ConnectionStore;
  readonly jobs: JobStore;
  readonly followed: FollowedTruncations;
  readonly showRecord: (record: TruncationRecord) => Promise<void>;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
}

export function registerTruncationCommands(commands: CommandRegistry, options: TruncationCommandsOptions): void {
  const { followed, showRecord, clipboard, notices } = options;

  commands.handle(COMMANDS.taskShow, async (clicked) => {
    const record = await pickTruncation(options, clicked, l10n.t('Show Truncation'), () => true);
    if (record !== undefined) {
      await showRecord(record);
      followed.follow(record);
    }
  });

  commands.handle(COMMANDS.taskCopyId, async (clicked) => {
    const record = await pickTruncation(options, clicked, l10n.t('Copy Task ID'), hasTask);
    if (record?.taskId !== undefined) {
      await clipboard.copy(record.taskId);
      notices.done(l10n.t('Task ID copied'));
    }
  });

  commands.handle(COMMANDS.taskForget, (clicked, selected) => forgetTruncations(options, clicked, selected));
}

async function forgetTruncations(
  options: TruncationCommandsOptions,
  clicked: unknown,
  selected: unknown,
): Promise<void> {
  const { store, jobs } = options;
  if (isTruncationRef(clicked) && jobs.unreadable(clicked.connectionId).includes(clicked.recordId)) {
    if (
      await confirmForget(l10n.t("Forget the truncation that can't be read?"), [store.get(clicked.connectionId)], 1)
    ) {
      await jobs.remove({ connectionId: clicked.connectionId, id: clicked.recordId });
    }
    return;
  }
  const chosen = Array.isArray(selected) ? selected.filter(isTruncationRef) : [];
  const forgotten =
    chosen.length > 1
      ? chosen.flatMap(({ connectionId, recordId }) => jobs.get(connectionId, recordId) ?? []).filter(isSent)
      : [await pickTruncation(options, clicked, l10n.t('Forget Truncation'), isSent)].filter(
          (record) => record !== undefined,
        );
  const blocking = forgotten.filter((record) => isRunning(record) || blockingReason(record) !== undefined);
  const names = blocking.map(({ plan }) => indexNameText(plan)).join(', ');
  const question = plural(
    blocking.length,
    l10n.t('Forget the truncation of {0}?', names),
    l10n.t('Forget the truncations of {0}?', names),
  );
  const connections = blocking.map(({ connectionId }) => store.get(connectionId));
  if (blocking.length === 0 || (await confirmForget(question, connections, blocking.length))) {
    await Promise.all(forgotten.map((record) => jobs.dismiss(record, Date.now())));
  }
}

async function pickTruncation(
  { store, jobs }: Pick<TruncationCommandsOptions, 'store' | 'jobs'>,
  clicked: unknown,
  title: string,
  fits: (record: TruncationRecord) => boolean,
): Promise<TruncationRecord | undefined> {
  if (isTruncationRef(clicked)) {
    const record = jobs.get(clicked.connectionId, clicked.recordId);
    return record !== undefined && fits(record) ? record : undefined;
  }
  const connection = await pickConnection(store, clicked, title);
  if (connection === undefined) {
    return undefined;
  }
  // The tree, which loads them, may never have been shown.
  await jobs.load();
  const items = jobs
    .of(connection.id)
    .filter(fits)
    .map((record) => ({
      label: indexNameText(record.plan),
      description: formatsOf(language()).time(record.sentAt),
      detail: statusText(record, undefined, Date.now()),
      record,
    }));
  if (items.length === 0) {
    void showInformation(l10n.t('No matching truncations on "{0}".', connection.name));
    return undefined;
  }
  const answer = await askPick(singleStep(title), { items, placeholder: l10n.t('Select a truncation') });
  return answer.kind === 'value' ? answer.value.record : undefined;
}

function hasTask({ taskId }: TruncationRecord): boolean {
  return taskId !== undefined;
}

function isRunning(record: TruncationRecord): boolean {
  return statusOf(record, Date.now()) === 'running';
}

/** One that runs too: its server may be gone, or its connection signed out. */
function isSent(record: TruncationRecord): boolean {
  return statusOf(record, Date.now()) !== 'sending';
}

function isTruncationRef(clicked: unknown): clicked is TruncationRef {
  return isConnectionRef(clicked) && 'recordId' in clicked && typeof clicked.recordId === 'string';
}

/** Asks before truncations are forgotten that still block their indices. @param connections Theirs. */
function confirmForget(
  question: string,
  connections: readonly (Connection | undefined)[],
  truncations: number,
): Promise<boolean> {
  const production = connections.flatMap((one) => (one === undefined ? [] : productionLine(one)));
  const warning = plural(
    truncations,
    l10n.t(
      'It may still be running, or may have hidden rows to keep. Once a truncation is forgotten, this extension no longer prevents deleting rows from its index.',
    ),
    l10n.t(
      'They may still be running, or may have hidden rows to keep. Once a truncation is forgotten, this extension no longer prevents deleting rows from its index.',
    ),
  );
  return confirm(question, [...new Set(production), warning], l10n.t('Forget'));
}
