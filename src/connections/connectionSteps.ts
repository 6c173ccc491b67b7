/** The questions about a connection: its address, the token and the user, then a summary with name and role. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { toServiceFailure } from '../service/failure/failure.ts';
import { tokenElsewhereProblem } from '../service/failure/redaction.ts';
import { askTokenOwner } from '../service/server/callerRights.ts';
import { parseActorUrn, shortActorName } from '../service/server/identifiers.ts';
import { pastedToken } from '../service/tokens/pastedToken.ts';
import { readTokenClaims } from '../service/tokens/tokenClaims.ts';
import { DEFAULT_PRODUCT, findService, productProblem } from '../service/server/serverInfo.ts';
import {
  askAndStore,
  askText,
  runInputSteps,
  type InputStep,
  type StepAnswer,
  type StepPlace,
} from '../ui/inputSteps.ts';
import { askModal } from '../ui/messages.ts';
import { normalizedName } from '../ui/typedName.ts';
import { askServerAddress, type AnsweredAddress, type ImportSource } from './addressStep.ts';
import { readCommandLineEnvironment } from './commandLineEnvironment.ts';
import { readCommandLineFile, type CommandLineFile, type ImportedConnection } from './commandLineFile.ts';
import { hostOf, originOf, type Connection } from './connection.ts';
import {
  agreesToPlainHttp,
  checkedActorUrn,
  connectionFrom,
  connectionDraftOf,
  moveDraftTo,
  nameOfDraft,
  nameProblem,
  roleOfDraft,
  takeToken,
  targetOf,
  tokenProblem,
  triedConnection,
  userProblem,
  type ConnectionDraft,
  type FinishedDraft,
} from './connectionDraft.ts';
import { askConnectionRole, confirmPlainHttp } from './connectionQuestions.ts';
import { COMMAND_LINE_FILE, COMMAND_LINE_VARIABLE } from './credentialLife.ts';
import { summarizeUntilAccepted, type SummarizedConnection, type SummaryQuestion } from './connectionSummary.ts';
import type { ConnectionRole } from './role.ts';
import type { ConnectionTarget, ServicePool } from './servicePool.ts';
import { isExposed, remoteBelow, remoteBeside } from './whereItRuns.ts';

interface ConnectionStepsOptions {
  /** Undefined for a new connection. */
  readonly saved: Connection | undefined;
  /** Returns the stored credential if it may go to this address. */
  readonly storedToken: (baseUrl: string) => Promise<string | undefined>;
  readonly otherNames: readonly string[];
  /** Confirms a role that is laxer than the stored one. */
  readonly mayTakeRole: (role: ConnectionRole) => Promise<boolean>;
}

/**
 * Asks for all fields.
 * @param draft Keeps the input.
 * @returns the draft with what is proposed. Undefined if the user cancelled.
 */
export async function runConnectionSteps(
  title: string,
  draft: ConnectionDraft,
  services: ServicePool,
  { saved, storedToken, otherNames, mayTakeRole }: ConnectionStepsOptions,
): Promise<FinishedDraft | undefined> {
  /** Facts from the answers: the server says whose token it is, and the origin of the token step. */
  const findings = { isService: false, tokenOrigin: '' };

  const address: InputStep = {
    ask: (place) =>
      askAndStore(
        askServerAddress(
          place,
          draft.baseUrl,
          (baseUrls, signal) => findServiceAt(services, baseUrls, signal),
          services.network,
          saved === undefined ? importSources() : [],
        ),
        (answer) => takeAddress(answer, draft, findings),
      ),
  };
  const consent: InputStep = {
    applies: () => draft.baseUrl !== '' && isExposed(draft.baseUrl) && !agreesToPlainHttp(draft),
    ask: async () => {
      if (!(await confirmPlainHttp(draft.baseUrl))) {
        return { kind: 'back' };
      }
      draft.plainHttpOrigin = originOf(draft);
      return { kind: 'value', value: undefined };
    },
  };
  const token: InputStep = {
    ask: async (place) => {
      const hasStored = (await storedToken(draft.baseUrl)) !== undefined;
      let owner: string | undefined;
      const check = async (text: string, signal: AbortSignal): Promise<string | undefined> => {
        owner = undefined;
        // Nothing is known about a token that stays, or a server that can't be reached.
        if (pastedToken(text) === '' || !findings.isService) {
          return undefined;
        }
        const tried = await tryToken(services, targetOf(draft), pastedToken(text), signal);
        owner = tried.owner;
        return tried.problem;
      };
      return askAndStore(
        askText(place, {
          value: draft.token ?? '',
          password: true,
          prompt: hasStored
            ? l10n.t('Access token. Leave empty to keep the stored one.')
            : l10n.t('Access token (optional). Stored securely in VS Code secret storage.'),
          placeholder: hasStored ? l10n.t('unchanged') : l10n.t('Paste a token, or leave empty to sign in later'),
          problem: tokenProblem,
          check,
        }),
        (text) => {
          const typed = pastedToken(text) || undefined;
          if (typed !== undefined || !hasStored) {
            takeToken(draft, typed, owner);
          }
          findings.tokenOrigin = originOf(draft);
        },
      );
    },
  };
  const user: InputStep = {
    ask: (place) =>
      askAndStore(
        askText(place, {
          value: draft.typedUser === '' && draft.owner !== undefined ? shortActorName(draft.owner) : draft.typedUser,
          prompt: l10n.t('Your user ID or URN, for example jdoe or urn:li:corpuser:jdoe.'),
          placeholder: l10n.t('for example jdoe'),
          problem: userProblem,
        }),
        (text) => (draft.typedUser = shortActorName(checkedActorUrn(text))),
      ),
  };
  const name: InputStep = {
    ask: (place) =>
      askAndStore(
        askText(place, {
          value: nameOfDraft(draft, otherNames),
          prompt: l10n.t('A name for this connection.'),
          problem: (text) => nameProblem(text, otherNames),
        }),
        (text) => (draft.name = normalizedName(text)),
      ),
  };
  /** The draft with what is proposed. */
  const shownDraft = (): FinishedDraft => {
    const named = { ...draft, name: nameOfDraft(draft, otherNames) };
    return { ...named, role: roleOfDraft(named, saved), isRoleChosen: draft.role !== undefined };
  };
  const role: InputStep = {
    ask: (place) =>
      askAndStore(
        askConnectionRole(place, { ...shownDraft(), role: draft.role }, mayTakeRole),
        (chosen) => (draft.role = chosen),
      ),
  };
  const product: InputStep = { ask: (place) => askProduct(place, draft) };
  const isUserOpen = (): boolean => draft.token !== undefined && draft.typedUser === '';
  const unlessUserIsKnown: InputStep = { ...user, applies: () => draft.owner === undefined && draft.typedUser === '' };
  const tokenOfOrigin: InputStep = { ...token, applies: () => findings.tokenOrigin !== originOf(draft) };
  const questions: Readonly<Record<SummaryQuestion, readonly InputStep[]>> = {
    address: [address, consent, tokenOfOrigin, unlessUserIsKnown],
    token: [consent, token, unlessUserIsKnown],
    user: [user],
    name: [name],
    role: [role],
    product: [product],
  };
  const current = async (): Promise<SummarizedConnection> => {
    const shown = shownDraft();
    return {
      connection: triedConnection(shown),
      token: draft.token ?? (await storedToken(draft.baseUrl)),
      // The summary says whose token it is, if it belongs to another user than the typed one, or the one before.
      formerActorUrn: shown.typedUser === '' ? saved?.actorUrn : connectionFrom(shown).typedUser,
      details: { role: shown.role, isRoleProposed: !shown.isRoleChosen },
    };
  };
  const ask = async (question: SummaryQuestion): Promise<boolean> => {
    const before = { draft: { ...draft }, findings: { ...findings } };
    const isAnswered = await runInputSteps(title, questions[question], true);
    if (!isAnswered) {
      // Several questions belong together, and half of their answers would be another connection.
      Object.assign(draft, before.draft);
      Object.assign(findings, before.findings);
    }
    return isAnswered;
  };
  const takeUser = (urn: string) => (draft.owner = urn);
  const summary: InputStep = { ask: (place) => summarizeUntilAccepted(place, services, current, ask, takeUser) };
  const asksUser = { ...user, applies: () => draft.owner === undefined && (saved === undefined || isUserOpen()) };
  return (await runInputSteps(title, [address, consent, token, asksUser, summary])) ? shownDraft() : undefined;
}

/**
 * Asks until a token works or the user accepts a failure.
 * @returns the token and the URN of its user: as the server says, else as the token does.
 * Undefined if the user cancelled.
 */
export async function askWorkingToken(
  connection: Connection,
  services: ServicePool,
): Promise<{ readonly token: string; readonly user: string | undefined } | undefined> {
  const draft = connectionDraftOf(connection);
  const title = l10n.t('Sign In to "{0}"', connection.name);
  const step: InputStep = {
    ask: (place) =>
      askAndStore(
        askText(place, {
          value: draft.token ?? '',
          password: true,
          prompt: l10n.t('Access token for {0}. Stored securely in VS Code secret storage.', hostOf(connection)),
          problem: (text) => (pastedToken(text) === '' ? l10n.t('Enter an access token.') : tokenProblem(text)),
          check: async (text, signal) => (await tryToken(services, connection, pastedToken(text), signal)).problem,
        }),
        (text) => (draft.token = pastedToken(text)),
      ),
  };
  let user: string | undefined;
  const current = (): Promise<SummarizedConnection> => {
    user = actorUrnIn(draft.token);
    const { token } = draft;
    const actorUrn = user ?? connection.actorUrn;
    return Promise.resolve({ connection: { ...connection, actorUrn }, token, formerActorUrn: connection.actorUrn });
  };
  const ask = (): Promise<boolean> => runInputSteps(title, [step], true);
  const isAccepted = await runInputSteps(title, [
    step,
    { ask: (place) => summarizeUntilAccepted(place, services, current, ask, (caller) => (user = caller)) },
  ]);
  return isAccepted && draft.token !== undefined ? { token: draft.token, user } : undefined;
}

/** The user that a token names. Servers without an identity take its word. */
function actorUrnIn(token: string | undefined): string | undefined {
  const actor = parseActorUrn(readTokenClaims(token ?? '')?.actorId ?? '');
  return 'actorUrn' in actor ? actor.actorUrn : undefined;
}

/** @param findings Get the token step asked again for an imported token, which tests it as if it were typed. */
function takeAddress(
  { baseUrl, isService, imported }: AnsweredAddress,
  draft: ConnectionDraft,
  findings: { isService: boolean; tokenOrigin: string },
): void {
  moveDraftTo(draft, baseUrl);
  findings.isService = isService;
  if (imported !== undefined) {
    draft.imported = imported;
    draft.token = imported.token;
    findings.tokenOrigin = '';
  }
}

/** Those of the command line. The environment is one only if it names a server. */
function importSources(): ImportSource[] {
  const machine = remoteBelow() ?? (remoteBeside() === undefined ? undefined : l10n.t('on this computer'));
  const file = {
    name: COMMAND_LINE_FILE,
    machine,
    detail: l10n.t('Address and token of the datahub command'),
    read: async () => askImport(COMMAND_LINE_FILE, await readCommandLineFile()),
  };
  const connection = readCommandLineEnvironment();
  return connection === undefined
    ? [file]
    : [
        file,
        {
          name: COMMAND_LINE_VARIABLE,
          machine,
          detail: l10n.t("Address and token of the datahub command in this window's environment"),
          read: () => askImport(COMMAND_LINE_VARIABLE, { connection, remarks: [] }),
        },
      ];
}

/**
 * Asks what to take: other extensions can press Enter in the list.
 * @returns undefined if the user declines.
 */
async function askImport(
  source: string,
  { connection, remarks }: CommandLineFile,
): Promise<ImportedConnection | undefined> {
  const accept: vscode.MessageItem = { title: l10n.t('Import') };
  const taken =
    connection.token === undefined
      ? l10n.t('Its address will be imported: {0}', connection.baseUrl)
      : l10n.t(
          "Its address ({0}) and its access token will be imported. The token isn't sent yet.",
          connection.baseUrl,
        );
  const answer = await askModal(
    l10n.t('Import the connection to {0} from {1}?', hostOf(connection), source),
    [taken, ...remarks],
    accept,
  );
  return answer === accept ? connection : undefined;
}

/** @returns the address of the service. */
async function findServiceAt(services: ServicePool, baseUrls: readonly string[], signal: AbortSignal): Promise<string> {
  const transports = baseUrls.map((baseUrl) =>
    services.createTransport({ name: hostOf({ baseUrl }), baseUrl }, undefined),
  );
  try {
    return (await findService(transports, signal)).baseUrl;
  } finally {
    for (const transport of transports) {
      transport.close();
    }
  }
}

/** Asks whose token it is. Only a refusal is a problem of the token: the summary reports any other failure. */
async function tryToken(
  services: ServicePool,
  target: ConnectionTarget,
  token: string,
  signal: AbortSignal,
): Promise<{ readonly owner?: string | undefined; readonly problem?: string }> {
  const transport = services.createTransport(target, token);
  try {
    return { owner: await askTokenOwner(transport, signal) };
  } catch (thrown) {
    const { kind, advice } = toServiceFailure(thrown);
    return kind === 'signedOut' || kind === 'refused'
      ? { problem: `${advice} ${l10n.t('Press Enter again to use it anyway.')}` }
      : {};
  } finally {
    transport.close();
  }
}

function askProduct(place: StepPlace, draft: ConnectionDraft): Promise<StepAnswer<void>> {
  return askAndStore(
    askText(place, {
      value: draft.product,
      prompt: l10n.t('Product name used in the X-<Product>-Actor header. Leave empty to detect it.'),
      placeholder: DEFAULT_PRODUCT,
      problem: (text) => (text.trim() === '' ? undefined : (productProblem(text) ?? tokenElsewhereProblem(text))),
    }),
    (text) => (draft.product = text.trim()),
  );
}
