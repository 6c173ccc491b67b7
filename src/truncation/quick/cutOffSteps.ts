/** Asks for the cut-off, and for the second yes where it needs one. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { language } from '../../language.ts';
import { formatsOf } from '../../ui/formats.ts';
import { askPick, askText } from '../../ui/inputSteps.ts';
import type { Answer, Step, StepPlace } from '../../ui/inputSteps.ts';
import { parseLocalTime } from '../../ui/localTimeText.ts';
import type { PickItem } from '../../ui/quickPick.ts';
import { MILLIS_PER_DAY, MILLIS_PER_MINUTE } from '../../time.ts';
import { cautionFor, cutOffProblem } from '../model/plan.ts';
import { cautionText } from '../model/texts.ts';
import { askOptions, optionsText } from './options.ts';
import type { EditedDraft } from './options.ts';

/** The one that deletes the fewest rows comes first: it's the one that Enter takes. */
const PRESET_DAYS = [365, 180, 90, 30];

interface CutOffItem extends PickItem {
  /** Unix time in ms, or what else the item is for. */
  readonly takes?: number | 'time' | 'options';
}

export function cutOffSteps(edited: EditedDraft, canChooseStrategy: boolean): Step[] {
  return [
    { ask: (place) => askCutOff(place, edited, canChooseStrategy) },
    {
      applies: () => cautionFor(edited.draft.endTimeMillis, Date.now()) !== undefined,
      ask: async (place) => {
        const caution = cautionFor(edited.draft.endTimeMillis, Date.now()) ?? 'future';
        const yes = { icon: 'warning', label: l10n.t('Yes, Use This Cut-Off') };
        const answer = await askPick<PickItem>(place, { items: [yes], placeholder: cautionText(caution) });
        edited.draft = { ...edited.draft, cautionAccepted: answer.kind === 'value' };
        return answer.kind === 'value' ? DONE : answer;
      },
    },
  ];
}

const DONE = { kind: 'value', value: undefined } as const;

async function askCutOff(place: StepPlace, edited: EditedDraft, canChooseStrategy: boolean): Promise<Answer<void>> {
  for (;;) {
    const answer = await askPick<CutOffItem>(place, {
      items: cutOffItems(Date.now(), optionsText(edited.draft, canChooseStrategy)),
      placeholder: l10n.t('Select the rows to delete'),
    });
    if (answer.kind !== 'value') {
      return answer;
    }
    const { takes } = answer.value;
    if (takes === 'options') {
      if (!(await askOptions(place, edited, canChooseStrategy))) {
        return { kind: 'cancelled' };
      }
      continue;
    }
    const time: Answer<number> = typeof takes === 'number' ? { kind: 'value', value: takes } : await askTime(place);
    if (time.kind === 'value') {
      edited.draft = { ...edited.draft, endTimeMillis: time.value, cautionAccepted: false };
      return DONE;
    }
    if (time.kind === 'cancelled') {
      return time;
    }
  }
}

function cutOffItems(now: number, options: string): CutOffItem[] {
  const presets = PRESET_DAYS.map((days) => {
    const millis = Math.floor((now - days * MILLIS_PER_DAY) / MILLIS_PER_MINUTE) * MILLIS_PER_MINUTE;
    return {
      label: l10n.t('Older than {0} days', days),
      description: formatsOf(language()).fullTime(millis),
      takes: millis,
    };
  });
  return [
    ...presets,
    { icon: 'edit', label: l10n.t('Another date and time…'), takes: 'time' },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { icon: 'settings', label: l10n.t('Options…'), description: options, takes: 'options' },
  ];
}

async function askTime(place: StepPlace): Promise<Answer<number>> {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const answer = await askText(
    { ...place, canGoBack: true },
    {
      value: '',
      prompt: l10n.t(
        'Deletes rows up to this time. Time zone: {0}, unless you add one, as in 2026-01-31T00:00Z.',
        zone,
      ),
      placeholder: 'YYYY-MM-DD HH:MM',
      problem: (text) =>
        parseLocalTime(text) === undefined
          ? l10n.t('Enter a date and time as YYYY-MM-DD HH:MM.')
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
