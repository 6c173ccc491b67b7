/** The same truncation without the page: quick picks and modals, for those who cannot or will not use it. */
import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import type { IndexTarget } from '../indices/indexList.ts';
import { inPlainText } from '../ui/foreignText.ts';
import { askInto, askPick, askText, runSteps } from '../ui/inputSteps.ts';
import type { Answer, Step, StepPlace } from '../ui/inputSteps.ts';
import { showProgress } from '../ui/messages.ts';
import type { PickItem } from '../ui/quickPick.ts';
import { percentOf } from './model/dryRun.ts';
import { parseLocalTime } from '../ui/localTimeText.ts';
import {
  MILLIS_PER_DAY,
  batchSizeProblem,
  cautionFor,
  cutOffProblem,
  emptyDraft,
  targetOf,
  timeoutProblem,
} from './model/plan.ts';
import type { PlanDraft } from './model/plan.ts';
import { cautionText, strategyTexts } from './model/texts.ts';
import { mayExecute } from './model/state.ts';
import type { Review, TruncationState } from './model/state.ts';
import type { TruncationRun } from './run.ts';
import { language, plural } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';

const PRESET_DAYS = [30, 90, 180, 365];

/**
 * Asks for a plan, dry-runs it, shows the report and, after the usual questions, executes.
 * @returns true when something was sent: its task is in the tree.
 */
export async function truncateQuickly(
  connection: Connection,
  target: IndexTarget,
  run: TruncationRun,
): Promise<boolean> {
  const title = vscode.l10n.t('Truncate {0} on {1}', targetOf(target), connection.name);
  let draft: PlanDraft = emptyDraft(target.entityType, target.aspect);
  for (;;) {
    const edited: { draft: PlanDraft } = { draft };
    if (!(await runSteps(title, planSteps(edited, run.forceFlagsKnown)))) {
      return false;
    }
    ({ draft } = edited);
    run.edit(draft);
    await dryRunWithProgress(run, title);
    const decided = await decide(run, title);
    if (decided !== 'change') {
      return decided === 'sent';
    }
  }
}

/** Shows what the dry run said until the person executes, changes the plan or leaves. */
async function decide(run: TruncationRun, title: string): Promise<'sent' | 'change' | 'left'> {
  for (;;) {
    const { state } = run;
    const choice = await askPick(
      { title, step: 1, totalSteps: 1, canGoBack: true },
      { items: reportItems(state, run.timeZone), placeholder: placeholderFor(state) },
    );
    if (choice.kind === 'back') {
      return 'change';
    }
    if (choice.kind === 'cancelled') {
      run.cancel();
      return 'left';
    }
    if (choice.value.does === 'change') {
      return 'change';
    }
    if (choice.value.does === 'execute') {
      await run.execute((work) => Promise.resolve(showProgress(vscode.l10n.t('{0}: executing…', title), false, work)));
      if (run.state.phase === 'running' || run.state.phase === 'failed') {
        return 'sent';
      }
    } else if (choice.value.does === 'dryRun') {
      await dryRunWithProgress(run, title);
    }
  }
}

async function dryRunWithProgress(run: TruncationRun, title: string): Promise<void> {
  await showProgress(vscode.l10n.t('{0}: dry run…', title), true, async (stop) => {
    stop.onCancellationRequested(() => run.cancel());
    await run.dryRun();
  });
}

interface ReportItem extends PickItem {
  readonly does?: 'execute' | 'dryRun' | 'change';
}

function reportItems(state: TruncationState, timeZone: string): ReportItem[] {
  const change: ReportItem = {
    icon: 'edit',
    label: vscode.l10n.t('Edit Options…'),
    does: 'change',
    alwaysShow: true,
  };
  const failing = 'failing' in state ? state.failing : undefined;
  const failingLines: ReportItem[] =
    failing === undefined
      ? []
      : [{ icon: 'error', label: failing.sentence, detail: failing.next ?? '', alwaysShow: true }];
  if (state.phase !== 'reviewed') {
    return [
      { icon: 'refresh', label: vscode.l10n.t('Dry Run Again'), does: 'dryRun', alwaysShow: true },
      change,
      ...failingLines,
    ];
  }
  const { review } = state;
  return [
    ...(mayExecute(review) && review.notice !== 'tooOld'
      ? [{ icon: 'trash', label: deleteLabel(review), does: 'execute' as const, alwaysShow: true }]
      : []),
    change,
    { icon: 'refresh', label: vscode.l10n.t('Dry Run Again'), does: 'dryRun', alwaysShow: true },
    { label: vscode.l10n.t('Dry run result'), kind: vscode.QuickPickItemKind.Separator },
    ...failingLines,
    {
      icon: review.report.rows === undefined ? 'question' : 'list-unordered',
      label: rowsText(review),
      alwaysShow: true,
    },
    {
      icon: 'calendar',
      label: formatsOf(language(), timeZone).fullTime(review.plan.endTimeMillis),
      alwaysShow: true,
    },
    {
      icon: 'gear',
      label: strategyTexts[review.report.strategy].name(),
      detail: strategyTexts[review.report.strategy].meaning(),
      alwaysShow: true,
    },
    { icon: 'comment', label: inPlainText(review.report.serverText), alwaysShow: true },
  ];
}

function placeholderFor(state: TruncationState): string {
  if (state.phase !== 'reviewed') {
    return vscode.l10n.t('Nothing was deleted');
  }
  return state.review.notice === undefined
    ? vscode.l10n.t('Nothing has been deleted yet')
    : vscode.l10n.t('Nothing was deleted. The dry run is out of date; review it again.');
}

function rowsText({ report }: Review): string {
  if (report.rows === undefined) {
    return vscode.l10n.t('Row count not available');
  }
  const { number, percent } = formatsOf(language());
  const [toDelete, total] = [number(report.rows.toDelete), number(report.rows.total)];
  const share = percent(percentOf(report.rows));
  return plural(
    report.rows.total,
    vscode.l10n.t('{0} of {1} row would be deleted ({2})', toDelete, total, share),
    vscode.l10n.t('{0} of {1} rows would be deleted ({2})', toDelete, total, share),
  );
}

function deleteLabel({ report }: Review): string {
  if (report.rows === undefined) {
    return vscode.l10n.t('Delete Rows…');
  }
  const { toDelete } = report.rows;
  const count = formatsOf(language()).number(toDelete);
  return plural(toDelete, vscode.l10n.t('Delete {0} Row…', count), vscode.l10n.t('Delete {0} Rows…', count));
}

/** Cut-off, then the second yes where it is needed, then the rest. */
function planSteps(edited: { draft: PlanDraft }, canChooseStrategy: boolean): Step[] {
  return [
    {
      ask: async (place) => {
        const now = Date.now();
        const presets = PRESET_DAYS.map((days) => {
          const millis = Math.floor((now - days * MILLIS_PER_DAY) / 60_000) * 60_000;
          return {
            label: vscode.l10n.t('Older than {0} days', days),
            description: formatsOf(language()).fullTime(millis),
            millis,
          };
        });
        const other = {
          icon: 'edit',
          label: vscode.l10n.t('Another date and time…'),
          description: '',
          millis: undefined,
        };
        for (;;) {
          const answer = await askPick<PickItem & { readonly millis: number | undefined }>(place, {
            items: [...presets, other],
            placeholder: vscode.l10n.t('Select the rows to delete'),
          });
          if (answer.kind !== 'value') {
            return answer;
          }
          const { millis } = answer.value;
          const time: Answer<number> = millis === undefined ? await askTime(place) : { kind: 'value', value: millis };
          if (time.kind === 'value') {
            edited.draft = { ...edited.draft, endTimeMillis: time.value, cautionAccepted: false };
            return done;
          }
          if (time.kind === 'cancelled') {
            return time;
          }
        }
      },
    },
    {
      applies: () => cautionFor(edited.draft.endTimeMillis, Date.now()) !== undefined,
      ask: async (place) => {
        const caution = cautionFor(edited.draft.endTimeMillis, Date.now()) ?? 'future';
        const yes = { icon: 'warning', label: vscode.l10n.t('Yes, Use This Cut-Off') };
        const answer = await askPick<PickItem>(place, { items: [yes], placeholder: cautionText(caution) });
        edited.draft = { ...edited.draft, cautionAccepted: answer.kind === 'value' };
        return answer.kind === 'value' ? done : answer;
      },
    },
    {
      ask: (place) =>
        askInto(
          askText(place, {
            value: edited.draft.batchSize,
            prompt: vscode.l10n.t('Rows deleted per batch.'),
            problem: batchSizeProblem,
          }),
          (batchSize) => (edited.draft = { ...edited.draft, batchSize }),
        ),
    },
    {
      ask: (place) =>
        askInto(
          askText(place, {
            value: edited.draft.timeoutSeconds,
            prompt: vscode.l10n.t(
              'Timeout in seconds. Stops the deletion on PostgreSQL; elsewhere only limits the wait for unavailable shards.',
            ),
            placeholder: vscode.l10n.t('no timeout'),
            problem: timeoutProblem,
          }),
          (timeoutSeconds) => (edited.draft = { ...edited.draft, timeoutSeconds }),
        ),
    },
    {
      applies: () => canChooseStrategy,
      ask: async (place) => {
        const items: (vscode.QuickPickItem & Pick<PlanDraft, 'strategy'>)[] = [
          {
            label: vscode.l10n.t('Automatic'),
            description: vscode.l10n.t('reindex if more than half of the rows are deleted, otherwise delete by query'),
            strategy: 'server',
          },
          { label: strategyTexts.deleteByQuery.name(), strategy: 'deleteByQuery' },
          { label: strategyTexts.reindex.name(), strategy: 'reindex' },
        ];
        const active = items.find(({ strategy }) => strategy === edited.draft.strategy);
        const answer = await askPick(place, {
          items,
          active,
          placeholder: vscode.l10n.t('Select a deletion strategy'),
        });
        if (answer.kind !== 'value') {
          return answer;
        }
        edited.draft = { ...edited.draft, strategy: answer.value.strategy };
        return done;
      },
    },
  ];
}

const done = { kind: 'value', value: undefined } as const;

async function askTime(place: StepPlace): Promise<Answer<number>> {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const answer = await askText(
    { ...place, canGoBack: true },
    {
      value: '',
      prompt: vscode.l10n.t(
        'Deletes rows up to this time. Time zone: {0}, unless you add one, as in 2026-01-31T00:00Z.',
        zone,
      ),
      placeholder: 'YYYY-MM-DD HH:MM',
      problem: (text) =>
        parseLocalTime(text) === undefined
          ? vscode.l10n.t('Enter a date and time as YYYY-MM-DD HH:MM.')
          : cutOffProblem(parseLocalTime(text)),
      remark: (text) => {
        const millis = parseLocalTime(text);
        return millis === undefined ? undefined : formatsOf(language()).fullTime(millis);
      },
    },
  );
  const millis = answer.kind === 'value' ? parseLocalTime(answer.value) : undefined;
  return answer.kind === 'value'
    ? millis === undefined
      ? { kind: 'cancelled' }
      : { kind: 'value', value: millis }
    : answer;
}
