/** The same truncation without the page: quick picks and modals, for those who cannot or will not use it. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../../connections/connection.ts';
import { nameWithRole } from '../../connections/roleTexts.ts';
import type { IndexTarget } from '../../indices/indexList.ts';
import { alone, askPick, runSteps } from '../../ui/inputSteps.ts';
import { showProgress } from '../../ui/messages.ts';
import { emptyDraft, targetOf } from '../model/plan.ts';
import type { TruncationRun } from '../run.ts';
import { cutOffSteps } from './cutOffSteps.ts';
import { askOptions } from './options.ts';
import type { EditedDraft } from './options.ts';
import { placeholderFor, reportItems } from './report.ts';

/** Asks for a cut-off, runs the dry run, shows the report and, after the usual questions, executes. What comes of it is told elsewhere. */
export async function truncateQuickly(connection: Connection, target: IndexTarget, run: TruncationRun): Promise<void> {
  const title = l10n.t('Truncate {0} on {1}', targetOf(target), nameWithRole(connection));
  const edited: EditedDraft = { draft: emptyDraft(target.entityType, target.aspect) };
  for (;;) {
    if (!(await runSteps(title, cutOffSteps(edited, run.forceFlagsKnown)))) {
      return;
    }
    await dryRunOf(edited, run, title);
    if ((await decide(edited, run, title, connection.role === 'readOnly')) === 'leave') {
      return;
    }
  }
}

/** Shows what the dry run said until the person executes, wants another cut-off or leaves. */
async function decide(
  edited: EditedDraft,
  run: TruncationRun,
  title: string,
  isReadOnly: boolean,
): Promise<'cutOff' | 'leave'> {
  const place = { ...alone(title), canGoBack: true };
  for (;;) {
    const { state } = run;
    const choice = await askPick(place, {
      items: reportItems(state, run.timeZone, isReadOnly),
      placeholder: placeholderFor(state),
      isAnswer: ({ does }) => does !== undefined,
    });
    if (choice.kind === 'cancelled') {
      run.cancel();
      return 'leave';
    }
    const does = choice.kind === 'back' ? 'cutOff' : choice.value.does;
    if (does === 'cutOff') {
      return 'cutOff';
    }
    if (does === 'execute') {
      await run.execute((work) => Promise.resolve(showProgress(l10n.t('{0}: executing…', title), false, work)));
      if (run.state.phase === 'running' || run.state.phase === 'failed') {
        return 'leave';
      }
    } else if (does === 'dryRun') {
      await dryRunWithProgress(run, title);
    } else if (does === 'options') {
      const before = edited.draft;
      if (!(await askOptions(place, edited, run.forceFlagsKnown))) {
        run.cancel();
        return 'leave';
      }
      if (edited.draft !== before) {
        await dryRunOf(edited, run, title);
      }
    }
  }
}

async function dryRunOf({ draft }: EditedDraft, run: TruncationRun, title: string): Promise<void> {
  run.edit(draft);
  await dryRunWithProgress(run, title);
}

async function dryRunWithProgress(run: TruncationRun, title: string): Promise<void> {
  await showProgress(l10n.t('{0}: dry run…', title), true, async (stop) => {
    stop.onCancellationRequested(() => run.cancel());
    await run.dryRun();
  });
}
