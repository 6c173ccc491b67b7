/** Rotating a token: a replacement is created, and the old one stays until somebody says that nothing uses it any more. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import { confirmInCurrentRole } from '../connections/currentRole.ts';
import { toServiceFailure } from '../service/failure/failure.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { issueToken, offerIssued } from './createToken.ts';
import { sendRevocations } from './revokeTokens.ts';
import { type ActorReader, actorsFrom, type CreationFacts, loadCreationFacts, type TokenDraft } from './tokenDraft.ts';
import type { TokenParts } from './tokens.ts';
import { shortTokenLabel, tokenLabel } from './tokenAppearance.ts';
import { confirmRevokeOld } from './tokenQuestions.ts';
import { language } from '../language.ts';
import { durationName } from '../service/tokens/durations.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import { formatsOf } from '../ui/formats.ts';
import { alone, askPick, type Step } from '../ui/inputSteps.ts';
import type { PickItem } from '../ui/quickPick.ts';
import { draftSteps, typeName, untilText } from './draftSteps.ts';
import { nameProblem } from './typedText.ts';
import { closestDuration } from './expiry.ts';
import { lackingPrivilege } from './tokenTexts.ts';

/**
 * Asks, creates, offers the string, then asks about the old token.
 * @param edited What was edited before the flow was left or refused the last time.
 * @param keep Told what is being edited, so that nothing of it is lost.
 * @returns whether the replacement was created: false when the person left, or it failed and was told.
 * @throws ServiceFailure when the server does not tell what it takes; then nothing was asked.
 */
export async function rotateToken(
  parts: TokenParts,
  connection: Connection,
  title: string,
  old: AccessToken,
  edited: TokenDraft | undefined,
  keep: (draft: TokenDraft) => void,
): Promise<boolean> {
  const facts = await loadCreationFacts(parts.services.get(connection), connection.name);
  const draft = edited ?? replacementOf(old, facts);
  keep(draft);
  const actorOf = actorsFrom(draft.actor);
  if (!(await askReplacement(title, old, draft, facts, actorOf))) {
    return false;
  }
  const checked = actorOf(draft.actor);
  const issued = await issueToken(parts, connection, draft, 'actorUrn' in checked ? checked.actorUrn : '', facts);
  if (issued === undefined) {
    return false;
  }
  // Begun before anything is asked, so that a window that closes over a question does not lose it.
  const marked = parts.notices.unlessStored(
    parts.superseded.mark(connection.id, old.id, issued.id),
    l10n.t('"{0}" was replaced, but VS Code couldn\'t mark it as superseded.', tokenLabel(old)),
  );
  await offerIssued(parts, connection, issued);
  // Looked up again: the connection may sign in with the new token by now, or be gone.
  const current = parts.store.get(connection.id);
  if (current !== undefined) {
    await marked;
    // The old token is one of the server that it was listed by, wherever the connection leads by now.
    const { baseUrl, actorUrn, product } = connection;
    await revokeOld(parts, { ...current, baseUrl, actorUrn, product }, old, issued.id).catch((thrown: unknown) =>
      parts.notices.failure(toServiceFailure(thrown), connection),
    );
  }
  return true;
}

/** @throws ServiceFailure where the connection became read-only, leads elsewhere or was removed meanwhile. */
async function revokeOld(
  parts: TokenParts,
  connection: Connection,
  old: AccessToken,
  replacementId: string | undefined,
): Promise<void> {
  const ask = (current: Connection): Promise<boolean> => confirmRevokeOld(old, replacementId, current);
  const agreed = await confirmInCurrentRole(parts.store, connection, ask).catch((thrown: unknown) => {
    throw toServiceFailure(thrown).with({ next: l10n.t('The old token "{0}" wasn\'t revoked.', tokenLabel(old)) });
  });
  if (agreed) {
    await sendRevocations(parts, connection, [old]);
  }
}

/** Servers name their service accounts so (PROTOCOL.md §5.9); a token's type is not listed. */
const SERVICE_ACCOUNT = /^urn:li:corpuser:service_/;

/** What is proposed: everything as the old token has it. */
export function replacementOf(old: AccessToken, { schema, durations, caller }: CreationFacts): TokenDraft {
  const actorUrn = old.actorUrn === '' ? caller : old.actorUrn;
  return {
    type: schema.serviceAccounts && SERVICE_ACCOUNT.test(actorUrn) ? 'SERVICE_ACCOUNT' : 'PERSONAL',
    name: old.name ?? '',
    actor: shortActorName(actorUrn),
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
