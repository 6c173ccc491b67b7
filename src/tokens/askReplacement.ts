/** One question instead of five: a replacement as like the old token as the server allows, to accept or to edit thing by thing. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { language } from '../language.ts';
import { durationName } from '../service/durationText.ts';
import type { AccessToken } from '../service/tokens/tokens.ts';
import { shortActor } from '../service/urn.ts';
import { formatsOf } from '../ui/formats.ts';
import { alone, askPick } from '../ui/inputSteps.ts';
import type { Step } from '../ui/inputSteps.ts';
import type { PickItem } from '../ui/quickPick.ts';
import { draftSteps, typeName, untilText } from './draftSteps.ts';
import { nameProblem } from './typedText.ts';
import { closestDuration } from './expiry.ts';
import { shortTokenLabel } from './tokenAppearance.ts';
import { lackingPrivilege } from './missingPrivilege.ts';
import type { ActorReader, CreationFacts, TokenDraft } from './tokenDraft.ts';

/** Servers name their service accounts so (PROTOCOL.md §5.9); a token's type is not listed. */
const SERVICE_ACCOUNT = /^urn:li:corpuser:service_/;

/** What is proposed: everything as the old token has it. */
export function replacementOf(old: AccessToken, { schema, durations, caller }: CreationFacts): TokenDraft {
  const actorUrn = old.actorUrn === '' ? caller : old.actorUrn;
  return {
    type: schema.serviceAccounts && SERVICE_ACCOUNT.test(actorUrn) ? 'SERVICE_ACCOUNT' : 'PERSONAL',
    name: old.name ?? '',
    actor: shortActor(actorUrn),
    duration: closestDuration(old.createdAt, old.expiresAt, durations),
    description: old.description ?? '',
  };
}

interface Choice extends PickItem {
  /** What the item edits; without it, the item accepts. */
  readonly edit?: Step;
}

/** @param draft Is edited. @returns whether it was accepted: false when the person left. */
export async function askReplacement(
  title: string,
  old: AccessToken,
  draft: TokenDraft,
  facts: CreationFacts,
  actorOf: ActorReader,
): Promise<boolean> {
  const { date } = formatsOf(language());
  for (;;) {
    const items = choices(old, draft, facts, actorOf);
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const answer = await askPick<Choice>(alone(title), {
      items,
      active: items.find(({ kind }) => kind === undefined),
      placeholder:
        old.createdAt === undefined
          ? l10n.t('Create a replacement for "{0}"', shortTokenLabel(old))
          : l10n.t('Create a replacement for "{0}", created {1}', shortTokenLabel(old), date(old.createdAt)),
    });
    if (answer.kind !== 'value') {
      return false;
    }
    const { edit } = answer.value;
    if (edit === undefined) {
      return true;
    }
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    if ((await edit.ask({ ...alone(title), canGoBack: true })).kind === 'cancelled') {
      return false;
    }
  }
}

function choices(old: AccessToken, draft: TokenDraft, facts: CreationFacts, actorOf: ActorReader): Choice[] {
  const steps = draftSteps(draft, facts, actorOf);
  const problem = nameProblem(draft.name);
  const checked = actorOf(draft.actor);
  const lacking = lackingPrivilege(facts, draft.type, 'actorUrn' in checked && checked.actorUrn === facts.caller);
  const accept: Choice = {
    icon: 'check',
    label: l10n.t('Create Replacement'),
    description: [draft.name === old.name ? l10n.t('same name') : `"${draft.name}"`, durationName(draft.duration)].join(
      ' · ',
    ),
    ...(lacking === undefined ? {} : { detail: lacking }),
  };
  const edits: readonly (Choice & { readonly edit: Step })[] = [
    {
      icon: 'tag',
      label: l10n.t('Name'),
      description: draft.name,
      ...(problem === undefined ? {} : { detail: problem }),
      edit: steps.name,
    },
    { icon: 'account', label: l10n.t('Acts as'), description: draft.actor, edit: steps.actor },
    {
      icon: 'calendar',
      label: l10n.t('Expires after'),
      description: `${durationName(draft.duration)} · ${untilText(draft.duration)}`,
      edit: steps.duration,
    },
    {
      icon: 'note',
      label: l10n.t('Description'),
      description: draft.description || l10n.t('none'),
      edit: steps.description,
    },
    { icon: 'key', label: l10n.t('Type'), description: typeName(draft.type), edit: steps.type },
  ];
  return [
    // The old name may be none that a new token can have: then that comes first.
    ...(problem === undefined ? [accept] : []),
    { label: l10n.t('Edit'), kind: vscode.QuickPickItemKind.Separator },
    ...edits.filter(({ edit }) => edit.applies?.() !== false),
  ];
}
