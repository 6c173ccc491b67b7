/**
 * The form of a connection: a list of its fields, each of which leads to one input. Saving checks the connection once.
 * Adding, editing, importing and signing in are this form with other values to start with.
 */
import * as l10n from '@vscode/l10n';
import { toServiceFailure } from '../service/failure/failure.ts';
import type { SentSecrets } from '../service/http/transport.ts';
import { storedActorUrn } from '../service/server/identifiers.ts';
import { findService } from '../service/server/findService.ts';
import { confirmPlainHttp } from './connectionQuestions.ts';
import {
  createPickList,
  runInputSteps,
  showInput,
  showPickItems,
  showPickList,
  type InputStep,
  type PickItem,
  type StepAnswer,
  type StepPlace,
} from '../ui/inputSteps.ts';
import { openRemoteSetting } from '../ui/notices.ts';
import { hostOf, lacksConsent, originOf } from './connection.ts';
import {
  connectionFrom,
  keepsStoredSecrets,
  leadsToSame,
  nameOfDraft,
  secretsOf,
  type ConnectionDraft,
} from './connectionDraft.ts';
import { QUESTIONS, stepsOfField, type ConnectionField, type FieldContext } from './connectionFields.ts';
import {
  formItems,
  lacksUser,
  markedAction,
  userInDraft,
  userOfForm,
  type CheckOutcome,
  type FormAction,
} from './connectionFormItems.ts';
import { holdsSecret, type ConnectionParts, type ServicePool } from './servicePool.ts';

interface ConnectionForm extends Omit<FieldContext, 'otherNames'> {
  readonly title: string;
  readonly parts: ConnectionParts;
  /**
   * @param user URN of the token's user. Undefined if nobody says.
   * @returns false to go on in the form. @throws ServiceFailure, which is shown there.
   */
  readonly save: (draft: ConnectionDraft, user: string | undefined) => Promise<boolean>;
}

type OpenForm = ConnectionForm & FieldContext;

/** @returns true if the connection was saved. */
export async function fillInConnection(begun: ConnectionForm): Promise<boolean> {
  const { draft, title, isSignIn, parts } = begun;
  const others = parts.store.all().filter(({ id }) => id !== draft.id);
  const form: OpenForm = { ...begun, otherNames: others.map(({ name }) => name) };
  // An imported token isn't asked for.
  const token: InputStep = { ...QUESTIONS.token(form), applies: () => draft.source === undefined };
  const ofNew = draft.saved === undefined ? [QUESTIONS.address(form), token] : [];
  const first = isSignIn ? [token] : ofNew;
  return runInputSteps(title, [...first, { ask: (place) => new FormRun(form, place).run() }]);
}

class FormRun {
  readonly #form: OpenForm;
  readonly #place: StepPlace;
  /** Of what is in the form. Undefined before it is checked. */
  #outcome: CheckOutcome | undefined;
  /** URN of the user that the form named last. */
  #shownUser: string | undefined;

  constructor(form: OpenForm, place: StepPlace) {
    this.#form = form;
    this.#place = place;
    this.#shownUser = form.draft.saved?.actorUrn;
  }

  async run(): Promise<StepAnswer<void>> {
    let action: FormAction = 'save';
    const { isSignIn, draft } = this.#form;
    // Signing in, only if something is to be decided.
    for (let isShown = !isSignIn || draft.saved?.lacksRole === true; ; isShown = true) {
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
      } else if (await this.#isSaved(action)) {
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

  /** @returns false to go on in the form, so that no input is lost. */
  async #isSaved(action: 'save' | 'saveAnyway'): Promise<boolean> {
    const { draft, otherNames, save } = this.#form;
    try {
      return (
        (await this.#maySave(action)) &&
        (await save({ ...draft, name: nameOfDraft(draft, otherNames) }, userOfForm(draft, this.#outcome)))
      );
    } catch (thrown) {
      this.#outcome = { failure: toServiceFailure(thrown) };
      return false;
    }
  }

  /**
   * Checks the connection, unless that is known, or the user gave up on it.
   * @returns false if something is to be decided in the form. @throws ServiceFailure if the stored secrets can't be read.
   */
  async #maySave(action: 'save' | 'saveAnyway'): Promise<boolean> {
    const { draft, parts } = this.#form;
    if (leadsToSame(draft) && !lacksConsent(draft)) {
      return true;
    }
    const keepsSecrets = draft.saved !== undefined && keepsStoredSecrets(draft);
    const secrets = secretsOf(draft, keepsSecrets ? await parts.credentials.readSecrets(draft.saved) : {});
    if (!(await this.#agreesToPlainHttp(secrets))) {
      return false;
    }
    if (action === 'saveAnyway' || leadsToSame(draft)) {
      return true;
    }
    if (this.#outcome === undefined || this.#outcome.failure !== undefined) {
      this.#outcome = await showChecking(this.#place, draft.baseUrl, (signal) => this.#check(secrets, signal));
      if (this.#outcome?.baseUrl !== undefined) {
        draft.baseUrl = this.#outcome.baseUrl;
        draft.otherBaseUrls = [];
      }
    }
    return this.#outcome !== undefined && this.#isAsShown(this.#outcome, secrets);
  }

  #isAsShown(outcome: CheckOutcome, { token }: SentSecrets): boolean {
    const { failure, user } = outcome;
    if (failure !== undefined) {
      // The server is there, and signing in comes later.
      return token === undefined && failure.kind === 'signedOut' && !failure.isFromGateway;
    }
    const isOther = user !== undefined && this.#shownUser !== undefined && this.#shownUser !== user;
    return !isOther && !lacksUser(this.#form.draft, outcome);
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
  async #check(secrets: SentSecrets, signal: AbortSignal): Promise<CheckOutcome> {
    const { draft, parts, otherNames } = this.#form;
    const { services } = parts;
    const isStored = draft.baseUrl === draft.saved?.baseUrl;
    const baseUrl = isStored ? draft.baseUrl : await findServiceAt(services, draft, secrets, signal);
    const fields = connectionFrom({ ...draft, baseUrl, name: nameOfDraft(draft, otherNames) });
    const likelyUser = userInDraft(draft);
    const service = services.createTemporary({ ...fields, actorUrn: likelyUser ?? draft.typedUser }, secrets);
    try {
      const { identity, server, tokensEnabled } = await service.check(signal);
      // Without authentication, the server takes any caller for the system.
      const named = secrets.token === undefined || tokensEnabled === false ? undefined : identity?.actorUrn;
      return { server, user: storedActorUrn(named) ?? likelyUser, baseUrl };
    } catch (thrown) {
      return { failure: toServiceFailure(thrown), server: service.server.known.identity, baseUrl };
    } finally {
      service.close();
    }
  }

  #show(): Promise<StepAnswer<FormAction>> {
    const { draft, otherNames } = this.#form;
    if (this.#outcome?.failure === undefined) {
      this.#shownUser = userOfForm(draft, this.#outcome) ?? draft.typedUser ?? this.#shownUser;
    }
    const pick = createPickList<PickItem & { readonly action?: FormAction }>(l10n.t('Select what to change'));
    const items = formItems(draft, otherNames, this.#outcome);
    const marked = markedAction(draft, this.#outcome);
    // The last one, since the advice about a problem leads there too.
    const active = items.findLast(({ action }) => action === marked);
    showPickItems(pick, items, active);
    return showPickList(pick, this.#place, ([chosen]) => chosen?.action);
  }
}

/** @returns undefined if the user left. */
async function showChecking(
  place: StepPlace,
  baseUrl: string,
  check: (signal: AbortSignal) => Promise<CheckOutcome>,
): Promise<CheckOutcome | undefined> {
  const pick = createPickList<PickItem>(l10n.t('Testing connection…'));
  const stop = new AbortController();
  pick.busy = true;
  showPickItems(pick, [{ icon: 'sync~spin', label: l10n.t('Connecting to {0}…', baseUrl), alwaysShow: true }]);
  const answer = await showInput<CheckOutcome>(pick, { ...place, canGoBack: true }, (done) => {
    void check(stop.signal)
      .catch((thrown: unknown): CheckOutcome => ({ failure: toServiceFailure(thrown) }))
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
