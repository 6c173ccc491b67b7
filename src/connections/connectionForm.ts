/**
 * The form of a connection: a list of its fields, each of which leads to one input. Saving checks the connection once.
 * Adding, editing, importing and signing in are this form with other values to start with.
 */
import * as l10n from '@vscode/l10n';
import { ServiceFailure, toServiceFailure } from '../service/failure/failure.ts';
import type { SentSecrets } from '../service/http/transport.ts';
import { shortActorName, storedActorUrn } from '../service/server/identifiers.ts';
import { findService } from '../service/server/findService.ts';
import { type ServerIdentity, actorHeaderName, DEFAULT_PRODUCT } from '../service/server/serverInfo.ts';
import { lacksConsent } from './plainHttpConsent.ts';
import { confirmPlainHttp } from './connectionQuestions.ts';
import {
  createPickList,
  runInputSteps,
  separator,
  showInput,
  showPickItems,
  wrappedLineItems,
  type InputStep,
  type PickItem,
  type StepAnswer,
  type StepPlace,
} from '../ui/inputSteps.ts';
import { openRemoteSetting } from '../ui/notices.ts';
import { withHeader } from './additionalHeaders.ts';
import { hostOf, originOf } from './connection.ts';
import {
  connectionFrom,
  leadsToSame,
  nameOfDraft,
  roleOfDraft,
  secretsOf,
  userInToken,
  type ConnectionDraft,
} from './connectionDraft.ts';
import {
  hasToken,
  keepsStoredSecrets,
  keepsStoredToken,
  QUESTIONS,
  stepsOfField,
  type ConnectionField,
  type FieldContext,
} from './connectionFields.ts';
import { commandLineTokenPlace } from './credentialLife.ts';
import { localizedRoleName } from './role.ts';
import { holdsSecret, type ServicePool } from './servicePool.ts';

interface ConnectionForm extends FieldContext {
  readonly title: string;
  readonly services: ServicePool;
  /** Asked one after the other, before the form is shown. */
  readonly first: readonly ConnectionField[];
  /**
   * @param user URN of the token's user. Undefined if nobody says.
   * @returns false to go on in the form. @throws ServiceFailure, which is shown there.
   */
  readonly save: (draft: ConnectionDraft, user: string | undefined) => Promise<boolean>;
}

/** `baseUrl`: where the service was found. */
type Outcome =
  | { readonly failure: ServiceFailure; readonly server?: ServerIdentity | undefined; readonly baseUrl?: string }
  /** `user`: URN of the token's. */
  | { readonly server: ServerIdentity; readonly user: string | undefined; readonly baseUrl: string };

type FormAction = 'save' | 'saveAnyway' | 'runOnRemote' | ConnectionField;

interface FormItem extends PickItem {
  readonly action?: FormAction;
}

/** @returns true if the connection was saved. */
export async function fillInConnection(form: ConnectionForm): Promise<boolean> {
  const { draft, title } = form;
  const first = form.first.map((field): InputStep => ({
    ...QUESTIONS[field](form),
    // An imported token isn't asked for.
    applies: () => field !== 'token' || draft.source === undefined,
  }));
  return runInputSteps(title, [...first, { ask: (place) => new FormRun(form, place).run() }]);
}

class FormRun {
  readonly #form: ConnectionForm;
  readonly #place: StepPlace;
  /** Of what is in the form. Undefined before it is checked. */
  #outcome: Outcome | undefined;
  /** URN of the user that the form named last. */
  #shownUser: string | undefined;

  constructor(form: ConnectionForm, place: StepPlace) {
    this.#form = form;
    this.#place = place;
    this.#shownUser = form.saved?.actorUrn;
  }

  async run(): Promise<StepAnswer<void>> {
    let action: FormAction = 'save';
    const { isSignIn, saved } = this.#form;
    // Signing in, only if something is to be decided.
    for (let isShown = !isSignIn || saved?.lacksRole === true; ; isShown = true) {
      if (isShown) {
        const answer = await this.#show();
        if (answer.kind !== 'value') {
          return answer;
        }
        action = answer.value;
      }
      if (action === 'runOnRemote') {
        await openRemoteSetting();
      } else if (action !== 'save' && action !== 'saveAnyway') {
        await this.#ask(action);
      } else if ((await this.#maySave(action)) && (await this.#save())) {
        return { kind: 'value', value: undefined };
      }
    }
  }

  /** Asks for a field. An input that is left changes nothing. */
  async #ask(field: ConnectionField): Promise<void> {
    const { title, draft } = this.#form;
    const before = { ...draft };
    if (!(await runInputSteps(title, stepsOfField(field, this.#form), true))) {
      Object.assign(draft, before);
    } else if (field !== 'name' && field !== 'role') {
      this.#outcome = undefined;
    }
  }

  /**
   * Checks the connection, unless that is known, or the user gave up on it.
   * @returns false if something is to be decided in the form.
   */
  async #maySave(action: 'save' | 'saveAnyway'): Promise<boolean> {
    const { draft, saved } = this.#form;
    if (leadsToSame(draft, saved) && !lacksConsent(draft)) {
      return true;
    }
    const secrets = await this.#secrets().catch(toServiceFailure);
    if (secrets instanceof ServiceFailure) {
      this.#outcome = { failure: secrets };
      return false;
    }
    if (!(await this.#agreesToPlainHttp(secrets))) {
      return false;
    }
    if (leadsToSame(draft, saved)) {
      return true;
    }
    if (action === 'saveAnyway') {
      return this.#isTypedUser(this.#userInToken);
    }
    if (this.#outcome === undefined || 'failure' in this.#outcome) {
      this.#outcome = await showChecking(this.#place, draft.baseUrl, (signal) => this.#check(secrets, signal));
      if (this.#outcome?.baseUrl !== undefined) {
        draft.baseUrl = this.#outcome.baseUrl;
        draft.otherBaseUrls = [];
      }
    }
    return this.#outcome !== undefined && this.#isAsShown(this.#outcome, secrets);
  }

  #isAsShown(outcome: Outcome, { token }: SentSecrets): boolean {
    if ('failure' in outcome) {
      // The server is there, and signing in comes later.
      return token === undefined && outcome.failure.kind === 'signedOut' && !outcome.failure.isFromGateway;
    }
    const { user } = outcome;
    if (user === undefined) {
      return token === undefined || this.#form.draft.typedUser !== undefined;
    }
    return this.#isTypedUser(user) && (this.#shownUser === undefined || this.#shownUser === user);
  }

  /** False if the token is another user's than was typed. @param user URN of the token's user; undefined if unknown. */
  #isTypedUser(user: string | undefined): boolean {
    const { typedUser, saved } = this.#form.draft;
    if (user === undefined || typedUser === undefined || [saved?.typedUser, user].includes(typedUser)) {
      return true;
    }
    this.#outcome = { failure: otherUserFailure(user, typedUser), server: this.#outcome?.server };
    return false;
  }

  async #secrets(): Promise<SentSecrets> {
    const stored = keepsStoredSecrets(this.#form) ? await this.#form.storedSecrets() : {};
    return secretsOf(this.#form.draft, stored);
  }

  async #agreesToPlainHttp(secrets: SentSecrets): Promise<boolean> {
    const { draft } = this.#form;
    if (!holdsSecret(secrets) || !lacksConsent(draft)) {
      return true;
    }
    const isAgreed = await confirmPlainHttp(draft.baseUrl);
    draft.plainHttpOrigin = isAgreed ? originOf(draft) : undefined;
    return isAgreed;
  }

  /** Sends the credential once, to a server that says who it is. */
  async #check(secrets: SentSecrets, signal: AbortSignal): Promise<Outcome> {
    const { draft, saved, services, otherNames } = this.#form;
    const isStored = draft.baseUrl === saved?.baseUrl;
    const baseUrl = isStored ? draft.baseUrl : await findServiceAt(services, draft, secrets, signal);
    const fields = connectionFrom({ ...draft, baseUrl, name: nameOfDraft(draft, otherNames) });
    const service = services.createTemporary({ ...fields, actorUrn: this.#expectedUser }, secrets);
    try {
      const { identity, server, tokensEnabled } = await service.check(signal);
      // Without authentication, the server takes any caller for the system.
      const named = secrets.token === undefined || tokensEnabled === false ? undefined : identity?.actorUrn;
      return { server, user: storedActorUrn(named) ?? this.#userInToken, baseUrl };
    } catch (thrown) {
      return { failure: toServiceFailure(thrown), server: service.server.known.identity, baseUrl };
    } finally {
      service.close();
    }
  }

  /** URN of the user that the token names, as far as is known without asking the server. */
  get #userInToken(): string | undefined {
    const { draft, saved } = this.#form;
    return keepsStoredToken(this.#form) ? saved?.signIn?.user : userInToken(draft.token);
  }

  /** URN of the token's user: as the check found it, else as the token says. */
  get #user(): string | undefined {
    return this.#outcome !== undefined && 'user' in this.#outcome ? this.#outcome.user : this.#userInToken;
  }

  get #expectedUser(): string | undefined {
    return this.#userInToken ?? this.#form.draft.typedUser;
  }

  async #save(): Promise<boolean> {
    const { draft, otherNames, save } = this.#form;
    try {
      return await save({ ...draft, name: nameOfDraft(draft, otherNames) }, this.#user);
    } catch (thrown) {
      // Keep the form, so that no input is lost.
      this.#outcome = { failure: toServiceFailure(thrown) };
      return false;
    }
  }

  #show(): Promise<StepAnswer<FormAction>> {
    if (this.#outcome === undefined || !('failure' in this.#outcome)) {
      this.#shownUser = this.#user ?? this.#shownUser;
    }
    const pick = createPickList<FormItem>(l10n.t('Select what to change, or save'));
    const items = [...this.#resultItems(), ...this.#fieldItems()];
    const marked = this.#markedAction();
    // The last one, since the advice about a problem leads there too.
    showPickItems(
      pick,
      items,
      items.findLast(({ action }) => action === marked),
    );
    return showInput<FormAction>(pick, this.#place, (done) => [
      pick.onDidAccept(() => {
        const action = pick.selectedItems[0]?.action;
        if (action !== undefined) {
          done({ kind: 'value', value: action });
        }
      }),
    ]);
  }

  /** The next step: saving, unless a field has to change first. */
  #markedAction(): FormAction {
    const outcome = this.#outcome;
    if (outcome === undefined || !('failure' in outcome)) {
      return this.#needsUser ? 'user' : 'save';
    }
    const { failure } = outcome;
    return failure.transient || failure.kind === 'storage' ? 'save' : fieldInQuestion(failure);
  }

  get #needsUser(): boolean {
    const outcome = this.#outcome;
    const isUnknown = outcome !== undefined && 'user' in outcome && outcome.user === undefined;
    return isUnknown && hasToken(this.#form) && this.#form.draft.typedUser === undefined;
  }

  #resultItems(): FormItem[] {
    const outcome = this.#outcome;
    const save = hasToken(this.#form) ? l10n.t('Save Connection') : l10n.t('Save Without a Token');
    if (outcome === undefined || !('failure' in outcome)) {
      return [{ icon: 'check', label: save, alwaysShow: true, action: 'save' }, ...this.#userItems()];
    }
    const { failure } = outcome;
    const mayBeSaved = !['signedOut', 'refused', 'storage'].includes(failure.kind);
    return [
      separator(l10n.t('Problem')),
      // The headline, which other lists begin with, says the same in short.
      ...wrappedLineItems('error', failure.message),
      ...wrappedLineItems('lightbulb', failure.next ?? '').map((item) =>
        Object.assign(item, { action: this.#markedAction() }),
      ),
      separator(l10n.t('Next steps')),
      { icon: 'refresh', label: l10n.t('Try Again'), alwaysShow: true, action: 'save' },
      ...(failure.mayBeReachedFromRemote ? [runOnRemoteItem()] : []),
      ...(mayBeSaved
        ? [{ icon: 'save', label: l10n.t('Save Anyway'), alwaysShow: true, action: 'saveAnyway' as const }]
        : []),
      separator(l10n.t('Connection')),
    ];
  }

  /** Whose connection it will be. */
  #userItems(): FormItem[] {
    const former = this.#form.saved?.actorUrn;
    const user = this.#user;
    if (this.#needsUser) {
      return [{ icon: 'warning', label: l10n.t("The server doesn't say who you are"), alwaysShow: true }];
    }
    if (user === undefined) {
      return [];
    }
    return [
      former === undefined || former === user
        ? {
            icon: 'person',
            label: l10n.t('This connection will sign in as {0}', shortActorName(user)),
            alwaysShow: true,
          }
        : {
            icon: 'warning',
            label: l10n.t('This connection will sign in as {0}, not {1}', shortActorName(user), shortActorName(former)),
            alwaysShow: true,
          },
    ];
  }

  #fieldItems(): FormItem[] {
    const { draft, saved, otherNames } = this.#form;
    const named = { ...draft, name: nameOfDraft(draft, otherNames) };
    const role = roleOfDraft(named, saved);
    return [
      fieldItem('address', 'globe', l10n.t('Address: {0}', draft.baseUrl)),
      fieldItem('token', 'key', this.#tokenLabel()),
      ...(this.#asksUser ? [fieldItem('user', 'account', userLabel(draft.typedUser))] : []),
      fieldItem('name', 'tag', l10n.t('Name: {0}', named.name)),
      fieldItem('role', 'shield', l10n.t('Role: {0}', localizedRoleName(role))),
      ...(this.#asksProduct
        ? [
            fieldItem(
              'product',
              'symbol-string',
              l10n.t('Actor header: {0}', actorHeaderName(draft.product ?? DEFAULT_PRODUCT)),
            ),
          ]
        : []),
      fieldItem('headers', 'list-unordered', this.#headersLabel()),
    ];
  }

  #tokenLabel(): string {
    const { draft } = this.#form;
    if (draft.source !== undefined) {
      return l10n.t('Access token: from {0}', commandLineTokenPlace(draft.source));
    }
    if (draft.token !== undefined) {
      return l10n.t('Access token: entered');
    }
    return keepsStoredToken(this.#form) ? l10n.t('Access token: stored') : l10n.t('Access token: none');
  }

  #headersLabel(): string {
    const { draft, saved } = this.#form;
    const stored = keepsStoredSecrets(this.#form) ? (saved?.signIn?.headerNames ?? []) : [];
    const names = Object.keys(draft.headers.reduce(withHeader, Object.fromEntries(stored.map((name) => [name, '…']))));
    return names.length === 0
      ? l10n.t('Additional headers: none')
      : l10n.t('Additional headers: {0}', names.join(', '));
  }

  /** Only where the server can't say. */
  get #asksUser(): boolean {
    return this.#form.draft.typedUser !== undefined || this.#needsUser || !hasToken(this.#form);
  }

  /** Only where the server doesn't say. */
  get #asksProduct(): boolean {
    const server = this.#outcome?.server;
    return this.#form.draft.product !== undefined || (server !== undefined && server.product === undefined);
  }
}

function fieldItem(action: ConnectionField, icon: string, label: string): FormItem {
  return { icon, label, description: l10n.t('Change…'), alwaysShow: true, action };
}

function userLabel(typed: string | undefined): string {
  return typed === undefined ? l10n.t('User: none') : l10n.t('User: {0}', shortActorName(typed));
}

/** Leads to the setting that has the extension run on the remote machine. */
function runOnRemoteItem(): FormItem {
  return {
    icon: 'remote',
    label: l10n.t('Run on the Remote…'),
    detail: l10n.t('The extension must be installed there. The setting holds for every remote window.'),
    alwaysShow: true,
    action: 'runOnRemote',
  };
}

/** The field that is most likely wrong. */
function fieldInQuestion({ kind, isFromGateway }: ServiceFailure): ConnectionField {
  if (isFromGateway) {
    return 'headers';
  }
  return kind === 'signedOut' || kind === 'refused' ? 'token' : 'address';
}

function otherUserFailure(user: string, typed: string): ServiceFailure {
  const [its, yours] = [shortActorName(user), shortActorName(typed)];
  return new ServiceFailure('refused', l10n.t('This access token belongs to {0}, not to {1}.', its, yours), {
    headline: l10n.t("Another user's token"),
    next: l10n.t('Enter another access token, or leave the user empty.'),
  });
}

/** @returns undefined if the user left. */
async function showChecking(
  place: StepPlace,
  baseUrl: string,
  check: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome | undefined> {
  const pick = createPickList<PickItem>(l10n.t('Testing connection…'));
  const stop = new AbortController();
  pick.busy = true;
  showPickItems(pick, [{ icon: 'sync~spin', label: l10n.t('Connecting to {0}…', baseUrl), alwaysShow: true }]);
  const answer = await showInput<Outcome>(pick, { ...place, canGoBack: true }, (done) => {
    void check(stop.signal)
      .catch((thrown: unknown): Outcome => ({ failure: toServiceFailure(thrown) }))
      .then((outcome) => {
        if (!stop.signal.aborted) {
          done({ kind: 'value', value: outcome });
        }
      });
    return [];
  });
  // Whichever way the user leaves, stop asking.
  stop.abort();
  return answer.kind === 'value' ? answer.value : undefined;
}

/** @returns the address of the service. */
async function findServiceAt(
  services: ServicePool,
  { baseUrl, otherBaseUrls, plainHttpOrigin }: ConnectionDraft,
  { headers }: SentSecrets,
  signal: AbortSignal,
): Promise<string> {
  const transports = [baseUrl, ...otherBaseUrls].map((candidate) =>
    services.createTransport({ name: hostOf({ baseUrl }), baseUrl: candidate, plainHttpOrigin }, { headers }),
  );
  try {
    return (await findService(transports, signal)).baseUrl;
  } finally {
    for (const transport of transports) {
      transport.close();
    }
  }
}
