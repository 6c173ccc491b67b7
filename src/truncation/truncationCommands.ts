/** Commands for truncations that were sent: show, follow, copy the task ID, forget. */
import * as l10n from '@vscode/l10n';
import { shownNameText } from '../indices/timeseriesAspects.ts';
import type { Connection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { type ConnectionRef, isConnectionRef, pickConnection } from '../connections/pickConnection.ts';
import { productionLine } from '../connections/role.ts';
import { COMMANDS } from '../manifest.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import type { CommandRegistry } from '../ui/commandRegistry.ts';
import { singleStep, askPick } from '../ui/inputSteps.ts';
import { confirm, showInformation } from '../ui/messages.ts';
import type { Notices } from '../ui/notices.ts';
import type { FollowedTruncations } from './watching/follow.ts';
import { statusText } from './texts/statusTexts.ts';
import { type TruncationRecord, blockingReason, statusOf } from './sentTruncation.ts';
import type { JobStore } from './jobStore.ts';
import { language } from '../language.ts';
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
    const record = await pickTruncation(options, clicked, l10n.t('Copy Task ID'), ({ taskId }) => taskId !== undefined);
    if (record?.taskId !== undefined) {
      await clipboard.copy(record.taskId);
      notices.done(l10n.t('Task ID copied'));
    }
  });

  commands.handle(COMMANDS.taskForget, (clicked) => forgetTruncation(options, clicked));
}

async function forgetTruncation(options: TruncationCommandsOptions, clicked: unknown): Promise<void> {
  const { store, jobs } = options;
  if (isTruncationRef(clicked) && jobs.unreadable(clicked.connectionId).includes(clicked.recordId)) {
    const { connectionId, recordId: id } = clicked;
    if (await confirmForget(l10n.t("Forget the truncation that can't be read?"), store.get(connectionId))) {
      await jobs.remove({ connectionId, id });
    }
    return;
  }
  const record = await pickTruncation(options, clicked, l10n.t('Forget Truncation'), isSent);
  if (record === undefined) {
    return;
  }
  const mayMatter = statusOf(record, Date.now()) === 'running' || blockingReason(record) !== undefined;
  const question = l10n.t('Forget the truncation of {0}?', shownNameText(record.plan));
  if (!mayMatter || (await confirmForget(question, store.get(record.connectionId)))) {
    await jobs.dismiss(record, Date.now());
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
      label: shownNameText(record.plan),
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

/** One that runs too: its server may be gone, or its connection signed out. */
function isSent(record: TruncationRecord): boolean {
  return statusOf(record, Date.now()) !== 'sending';
}

function isTruncationRef(clicked: unknown): clicked is TruncationRef {
  return isConnectionRef(clicked) && 'recordId' in clicked && typeof clicked.recordId === 'string';
}

/** Asks before a truncation is forgotten that still blocks its index. @param connection Its own. */
function confirmForget(question: string, connection: Connection | undefined): Promise<boolean> {
  const warning = l10n.t(
    'It may still be running, or may have hidden rows to keep. Once a truncation is forgotten, this extension no longer prevents deleting rows from its index.',
  );
  return confirm(
    question,
    [...(connection === undefined ? [] : productionLine(connection)), warning],
    l10n.t('Forget'),
  );
}
