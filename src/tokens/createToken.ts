/** Creates an access token: asks, sends once, and offers the string. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Connection, identityOf, lacksConsent, originOf } from '../connections/connection.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import { ServiceFailure, toServiceFailure } from '../service/failure/failure.ts';
import type { MetadataService } from '../service/service.ts';
import type { WantedToken } from '../service/tokens/tokenSearch.ts';
import { tokenUrn, type AccessToken } from '../service/tokens/accessToken.ts';
import type { CreatedAccessToken } from '../service/tokens/tokenCreation.ts';
import { runInputSteps, type InputStep } from '../ui/inputSteps.ts';
import { tokenNameStep } from './draftSteps.ts';
import { askDraftSummary, SummaryLoad, type SummarizedDraft } from './draftSummary.ts';
import { actorReaderFor, loadCreationFacts, proposeDefaults, type TokenDraft } from './tokenDraft.ts';
import type { TokenFlowParts } from './tokenLists.ts';
import { showCancellableProgress, showProgress, askModal } from '../ui/messages.ts';
import { endOfDuration } from './expiry.ts';
import { mutationFailure, copiedTokenText } from './tokenTexts.ts';
import { signInWith } from '../connections/signIn.ts';
import type { TokenSecret } from '../service/failure/secret.ts';
import { confirmPlainHttp } from '../connections/connectionQuestions.ts';
import { admitChange } from '../connections/admitChange.ts';
import { askingAgain } from '../connections/askingAgain.ts';
import { mayStillSend } from '../connections/mayStillSend.ts';

/**
 * Asks for a name, shows the rest with defaults, creates, and offers the value.
 * @param draft Proposed values. Keeps what was typed, so leaving or a refusal loses nothing.
 * @returns true if created; false if the user cancelled, or creation failed and was reported.
 */
export async function createToken(
  parts: TokenFlowParts,
  connection: Connection,
  title: string,
  draft: TokenDraft,
): Promise<boolean> {
  let isNamed = false;
  const name: InputStep = { ...tokenNameStep(draft), applies: () => !isNamed };
  const issued = await askingAgain(
    () => admitChange(parts.store, connection),
    async (agreed) => {
      const accepted = await askForToken(parts, agreed, title, draft, name);
      isNamed = true;
      return accepted && issueDraftedToken(parts, agreed, accepted);
    },
  );
  if (issued === undefined) {
    return false;
  }
  await offerIssuedToken(parts, connection, issued);
  return true;
}

/** @returns undefined if the user cancelled. */
async function askForToken(
  { services }: TokenFlowParts,
  connection: Connection,
  title: string,
  draft: TokenDraft,
  nameStep: InputStep,
): Promise<SummarizedDraft | undefined> {
  const stop = new AbortController();
  const load = new SummaryLoad(async () => {
    const facts = await loadCreationFacts(services.get(connection), stop.signal);
    proposeDefaults(draft, facts);
    return { draft, facts, actorOf: actorReaderFor(shortActorName(facts.caller)) };
  });
  // While the name is typed. The list reports a failure.
  load.attempt().catch(() => undefined);
  const texts = {
    placeholder: l10n.t('Press Enter to create the access token on "{0}"', connection.name),
    connection: connection.name,
    accept: l10n.t('Create Access Token'),
    name: ({ name }: TokenDraft) => `"${name}"`,
  };
  const summary: InputStep = { ask: (place) => askDraftSummary(place, texts, load) };
  const isAccepted = await runInputSteps(title, [nameStep, summary]).finally(() => stop.abort());
  return isAccepted ? load.loaded : undefined;
}

/** How long to search for the token if the server returned no ID. Only this flow has its value until then. */
const LONGEST_LOOK_MILLIS = 5_000;

export interface IssuedAccessToken extends OfferedAccessToken {
  /** As listed; undefined if its ID is unknown. */
  readonly listed: AccessToken | undefined;
}

/**
 * @param connection As the user was asked about it.
 * @returns undefined if it failed; the failure was reported.
 * @throws ServiceFailure `notSent` if the connection has changed since.
 */
export async function issueDraftedToken(
  parts: TokenFlowParts,
  connection: Connection,
  { draft, facts: { caller }, actorOf }: SummarizedDraft,
): Promise<IssuedAccessToken | undefined> {
  const checked = actorOf(draft.actor);
  const actorUrn = 'actorUrn' in checked ? checked.actorUrn : '';
  await parts.memory.load();
  const service = parts.services.get(connection);
  const sentAt = Date.now();
  // Copied: running the command again may edit the draft while the server answers.
  const { duration } = draft;
  const known = parts.tokenLists.get(connection.id).earlierListing;
  const wanted: WantedToken = { name: draft.name, ownerUrn: caller, since: sentAt, known };
  const isSelf = actorUrn === caller;
  let created: CreatedAccessToken;
  try {
    created = await showProgress(l10n.t('Creating the access token "{0}"…', draft.name), false, () =>
      service.tokens.create(
        {
          type: draft.type,
          actorUrn,
          duration,
          name: draft.name,
          description: draft.description === '' ? undefined : draft.description,
        },
        isSelf,
        { mayStillSend: mayStillSend(parts, connection), isKnownId: (id) => isKnown(parts, connection, known.ids, id) },
      ),
    );
  } catch (thrown) {
    const failure = mutationFailure(thrown);
    if (failure.kind === 'notSent') {
      throw failure;
    }
    parts.notices.failure(
      failure.mayHaveActed ? await withLostTokenAdvice(service, wanted, failure) : failure,
      connection,
    );
    void parts.tokenLists.get(connection.id).refresh();
    return undefined;
  }
  const { secret, name, description } = created;
  const id = created.id || (await findCreatedToken(service, wanted, AbortSignal.timeout(LONGEST_LOOK_MILLIS)))?.id;
  if (id === undefined) {
    // Without an ID it can't be held, shown or revoked. The listing may show it later.
    void parts.tokenLists.get(connection.id).refresh();
    return { secret, name, id, isSelf, listed: undefined };
  }
  const expiresAt = endOfDuration(duration, sentAt);
  // Hold the value before anything else can fail.
  parts.held.hold(connection.id, id, secret, expiresAt);
  const listed: AccessToken = {
    urn: tokenUrn(id),
    id,
    actorUrn,
    ownerUrn: caller,
    name,
    description,
    createdAt: sentAt,
    expiresAt,
  };
  // Not awaited: slow or failing storage must not delay offering the value.
  void parts.notices.unlessStored(
    parts.memory.remember(connection.id, listed, 'created'),
    l10n.t(
      'The access token "{0}" was created, but VS Code couldn\'t save its name and dates. They may be missing from the tree after this window closes.',
      name,
    ),
  );
  parts.tokenLists.get(connection.id).addCreatedToken(listed);
  return { secret, name, id, isSelf, listed };
}

/** True for a token that was listed, created here or signed in with before. */
function isKnown(
  { memory }: TokenFlowParts,
  { id: connectionId, signIn }: Connection,
  listed: ReadonlySet<string>,
  id: string,
): boolean {
  return id === signIn?.tokenId || listed.has(id) || memory.knows(connectionId, id);
}

/** Offers the value as soon as it is there. */
export async function offerIssuedToken(
  parts: TokenFlowParts,
  connection: Connection,
  issued: IssuedAccessToken,
): Promise<void> {
  await offerTokenValue(parts, connection, issued);
  const current = parts.store.get(connection.id);
  if (issued.listed === undefined) {
    return;
  }
  if (current !== undefined && identityOf(current) === identityOf(connection)) {
    // Signing in dropped the loaded list, and the listing may lag.
    parts.tokenLists.get(connection.id).addCreatedToken(issued.listed);
  } else {
    // The connection was changed or removed before the value was held. Another server never lists it.
    parts.held.release(connection.id, issued.listed.id);
  }
}

/** The response was lost, and the value with it. Look the token up, but never create it again. */
async function withLostTokenAdvice(
  service: MetadataService,
  wanted: WantedToken,
  failure: ServiceFailure,
): Promise<ServiceFailure> {
  const found = await findCreatedToken(service, wanted);
  return failure.with({
    next:
      found === undefined
        ? l10n.t(
            'The token "{0}" may or may not have been created. Refresh the tokens in a moment; if it\'s there, revoke it, since its value is lost.',
            wanted.name,
          )
        : l10n.t('Token "{0}" was created, but its value was lost. Revoke it and create a new one.', wanted.name),
  });
}

/** Undefined also if the search failed or was cancelled. */
function findCreatedToken(
  service: MetadataService,
  { name, ownerUrn, since, known }: WantedToken,
  limit?: AbortSignal,
): Promise<AccessToken | undefined> {
  return showCancellableProgress(l10n.t('Looking for the access token "{0}" on the server…', name), (stop) => {
    const signal = limit === undefined ? stop : AbortSignal.any([stop, limit]);
    return service.tokens.findCreated(name, ownerUrn, since, signal, known);
  }).catch(() => undefined);
}

export interface OfferedAccessToken {
  readonly secret: TokenSecret;
  readonly name: string;
  /** Undefined if unknown: then only this offer has the value. */
  readonly id: string | undefined;
  /** The token acts as the connection's own user. Only then may it become the credential. */
  readonly isSelf: boolean;
}

/**
 * Offers the value until it is stored somewhere. Closing the dialog loses nothing: the value stays held, or is
 * asked about. Failures are reported and the value is offered again, since the token exists.
 */
async function offerTokenValue(
  parts: TokenFlowParts,
  connection: Connection,
  token: OfferedAccessToken,
): Promise<void> {
  const copy: vscode.MessageItem = { title: l10n.t('Copy Token') };
  const keepIt: vscode.MessageItem = { title: l10n.t('Use for This Connection') };
  const close: vscode.MessageItem = { title: l10n.t('Close'), isCloseAffordance: true };
  for (let hasPlace = false; !hasPlace;) {
    const chosen = await askModal(
      l10n.t('The access token "{0}" was created.', token.name),
      [offerDetail(token)],
      copy,
      ...(token.isSelf ? [keepIt] : []),
      close,
    );
    try {
      hasPlace = await (chosen === copy
        ? copyOffered(parts, connection, token)
        : chosen === keepIt
          ? keepAsCredential(parts, connection, token)
          : confirmClosing(token));
    } catch (thrown) {
      parts.notices.failure(placementFailure(thrown), connection);
    }
  }
}

/** For example, the clipboard rejects a window without focus. The next question is the retry. */
function placementFailure(thrown: unknown): ServiceFailure {
  return thrown instanceof ServiceFailure
    ? thrown
    : new ServiceFailure(
        'storage',
        l10n.t("The access token couldn't be copied or stored. You can try again in the dialog that reopens."),
      );
}

function offerDetail({ id }: OfferedAccessToken): string {
  return id === undefined
    ? l10n.t("Copy it now. The server didn't return its ID, so you won't be able to copy it later.")
    : l10n.t(
        'Copy it now: the server won\'t show it again. Until this window closes, you can also copy it with "Copy Access Token".',
      );
}

async function copyOffered(
  { clipboard, held, notices }: TokenFlowParts,
  connection: Connection,
  { id, secret }: OfferedAccessToken,
): Promise<boolean> {
  const seconds = await clipboard.copySecret(secret);
  if (id !== undefined) {
    held.markCopied(connection.id, id);
  }
  notices.done(copiedTokenText(seconds));
  return true;
}

/** @returns false if the user declines to send it unencrypted. */
async function keepAsCredential(
  { store, credentials, held, notices }: TokenFlowParts,
  connection: Connection,
  { id, name, secret }: OfferedAccessToken,
): Promise<boolean> {
  const agreed = store.get(connection.id);
  const asksConsent = agreed !== undefined && lacksConsent(agreed);
  if (asksConsent && !(await confirmPlainHttp(agreed.baseUrl))) {
    return false;
  }
  const consent = asksConsent ? { plainHttpOrigin: originOf(agreed) } : {};
  // The connection may have been edited or removed while the dialogs were open.
  const current = await store.change(connection.id, (now) => {
    const isSame =
      originOf(now) === originOf(connection) &&
      (connection.actorUrn === undefined || now.actorUrn === connection.actorUrn);
    return isSame && !lacksConsent({ ...now, ...consent }) ? consent : refuseKeeping();
  });
  if (current === undefined) {
    return refuseKeeping();
  }
  try {
    await signInWith({ store, credentials }, current, secret.reveal(), { user: current.actorUrn, tokenId: id });
  } catch (thrown) {
    throw toServiceFailure(thrown).with({ next: l10n.t('You can copy the access token in the dialog that reopens.') });
  }
  if (id !== undefined) {
    held.release(connection.id, id);
  }
  notices.done(l10n.t('"{0}" now signs in with "{1}"', current.name, name));
  return true;
}

function refuseKeeping(): never {
  throw new ServiceFailure(
    'storage',
    l10n.t("The connection was changed in the meantime, so the access token wasn't kept."),
    { next: l10n.t('You can copy it in the dialog that reopens.') },
  );
}

/** Closing is fine while the value is held. Otherwise ask first, since it would be lost. */
async function confirmClosing({ id, name }: OfferedAccessToken): Promise<boolean> {
  if (id !== undefined) {
    return true;
  }
  const discard: vscode.MessageItem = { title: l10n.t('Discard Token') };
  const chosen = await askModal(
    l10n.t('Discard the access token "{0}" without copying it?', name),
    [l10n.t('It stays on the server, but its value will be lost.')],
    discard,
  );
  return chosen === discard;
}
