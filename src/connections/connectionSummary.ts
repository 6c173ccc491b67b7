/** The last step of a connection: tests it, and shows the result with what may be changed before it is saved. */
import * as l10n from '@vscode/l10n';
import { toServiceFailure, type ServiceFailure } from '../service/failure/failure.ts';
import { DEFAULT_PRODUCT, actorHeaderName, type ServerFacts } from '../service/server/serverInfo.ts';
import { storedActorUrn } from '../service/server/identifiers.ts';
import {
  createPickList,
  failureItems,
  setPlaceholder,
  showInput,
  separator,
  showPickItems,
  type PickItem,
  type StepAnswer,
  type StepPlace,
} from '../ui/inputSteps.ts';
import { openRemoteSetting } from '../ui/notices.ts';
import { runOnRemoteItem } from './addressStep.ts';
import { userOf } from './connection.ts';
import {
  checkResultLines,
  checkServer,
  serverVersionLine,
  type CheckResultLine,
  type ServerCheckResult,
} from './connectionCheck.ts';
import { localizedRoleName, suggestRole, type ConnectionRole } from './role.ts';
import type { ServicePool, TriedConnection } from './servicePool.ts';

/** Questions that the summary leads to. Name and role need no new test. */
export type SummaryQuestion = 'address' | 'token' | 'user' | 'name' | 'role' | 'product';
type SummaryAction = 'accept' | 'retry' | 'runOnRemote' | SummaryQuestion;

interface SummaryItem extends PickItem {
  readonly action?: SummaryAction;
}

export interface SummarizedConnection {
  readonly connection: TriedConnection;
  readonly token: string | undefined;
  /** The user until now, to compare with the one that the server names. By default that of the connection. */
  readonly formerActorUrn?: string | undefined;
  /** Undefined while signing in, which changes nothing else. */
  readonly details?: {
    readonly role: ConnectionRole;
    /** True if the user hasn't chosen the role. */
    readonly isRoleProposed: boolean;
  };
}

type CheckOutcome = ServerCheckResult | { readonly failure: ServiceFailure; readonly server: ServerFacts | undefined };

/**
 * Tests the connection until the user accepts it.
 * @param current Returns the connection as it is by now.
 * @param ask Asks one question, whose answer `current` returns from then on. False: it was left, and nothing changed.
 * @param accepted Receives the URN of the user, if the server says it.
 */
export async function summarizeUntilAccepted(
  place: StepPlace,
  services: ServicePool,
  current: () => Promise<SummarizedConnection>,
  ask: (question: SummaryQuestion) => Promise<boolean>,
  accepted: (callerUrn: string) => void,
): Promise<StepAnswer<void>> {
  let outcome: CheckOutcome | undefined;
  for (;;) {
    const summary = await current();
    const answer = await showSummary(place, services, summary, outcome, (found) => (outcome = found));
    if (answer.kind !== 'value') {
      return answer;
    }
    if (answer.value === 'accept') {
      const identity = outcome !== undefined && 'check' in outcome ? outcome.check.identity : undefined;
      const caller = storedActorUrn(identity?.actorUrn);
      if (caller !== undefined) {
        accepted(caller);
      }
      return { kind: 'value', value: undefined };
    }
    if ((await ask(answer.value)) && answer.value !== 'name' && answer.value !== 'role') {
      outcome = undefined;
    }
  }
}

function showSummary(
  place: StepPlace,
  services: ServicePool,
  summary: SummarizedConnection,
  known: CheckOutcome | undefined,
  found: (outcome: CheckOutcome) => void,
): Promise<StepAnswer<'accept' | SummaryQuestion>> {
  const pick = createPickList<SummaryItem>(l10n.t('Testing connection…'));
  const { connection, token } = summary;
  let attempt: AbortController | undefined;
  const render = (outcome: CheckOutcome): void => {
    found(outcome);
    const isWorking = 'check' in outcome;
    const items = isWorking ? successItems(outcome, summary) : failureChoices(outcome, summary);
    setPlaceholder(pick, isWorking ? l10n.t('The connection works') : l10n.t("Can't connect"));
    showPickItems(
      pick,
      items,
      items.find(({ action }) => action !== undefined),
    );
  };
  const runCheckAttempt = async (): Promise<void> => {
    attempt?.abort();
    const current = (attempt = new AbortController());
    const service = services.createTemporary(connection, token);
    pick.busy = true;
    showPickItems(pick, [
      { icon: 'sync~spin', label: l10n.t('Connecting to {0}…', connection.baseUrl), alwaysShow: true },
    ]);
    try {
      const result = await checkServer(service, current.signal);
      if (!current.signal.aborted) {
        render(result);
      }
    } catch (thrown) {
      if (!current.signal.aborted) {
        render({ failure: toServiceFailure(thrown), server: service.capabilities.known.server });
      }
    } finally {
      service.close();
      if (!current.signal.aborted) {
        pick.busy = false;
      }
    }
  };
  if (known === undefined) {
    void runCheckAttempt();
  } else {
    render(known);
  }
  const answered = showInput<'accept' | SummaryQuestion>(pick, place, (done) => [
    pick.onDidAccept(() => {
      const action = pick.selectedItems[0]?.action;
      if (action === 'retry') {
        void runCheckAttempt();
      } else if (action === 'runOnRemote') {
        void openRemoteSetting();
      } else if (action !== undefined) {
        done({ kind: 'value', value: action });
      }
    }),
  ]);
  // Whichever way the user leaves the step, stop the check.
  return answered.finally(() => attempt?.abort());
}

function successItems({ check, rights }: ServerCheckResult, summary: SummarizedConnection): SummaryItem[] {
  const { connection, token, details, formerActorUrn = connection.actorUrn } = summary;
  const user = check.identity === undefined ? connection.actorUrn : formerActorUrn;
  const lines = checkResultLines(check, user, token !== undefined, rights, true);
  return [
    {
      icon: 'check',
      label: details === undefined ? l10n.t('Sign In') : l10n.t('Save Connection'),
      alwaysShow: true,
      action: 'accept',
    },
    ...detailItems(summary),
    separator(l10n.t('Server details')),
    ...lines.map((line) => (line.isUser === true && details !== undefined ? userItem(line) : plainItem(line))),
    ...productItems(summary, check.server),
  ];
}

function plainItem({ icon, label, detail = '' }: CheckResultLine): SummaryItem {
  return { icon, label, detail, alwaysShow: true };
}

function userItem(line: CheckResultLine): SummaryItem {
  return { ...plainItem(line), description: l10n.t('Change…'), action: 'user' };
}

/** Name and role, which no server decides. */
function detailItems({ connection, details }: SummarizedConnection): SummaryItem[] {
  if (details === undefined) {
    return [];
  }
  const { role, isRoleProposed } = details;
  const suggested = isRoleProposed ? suggestRole(connection) : undefined;
  return [
    {
      icon: 'tag',
      label: l10n.t('Name: {0}', connection.name),
      description: l10n.t('Change…'),
      alwaysShow: true,
      action: 'name',
    },
    {
      icon: 'shield',
      label: l10n.t('Role: {0}', localizedRoleName(role)),
      description:
        suggested !== undefined && suggested.role === role
          ? l10n.t('suggested by "{0}" · Change…', suggested.because)
          : l10n.t('Change…'),
      alwaysShow: true,
      action: 'role',
    },
  ];
}

/** Offers to change the product's name if a service doesn't say it, or if the user typed another one. */
function productItems({ connection, details }: SummarizedConnection, server: ServerFacts): SummaryItem[] {
  const { product } = connection;
  if (details === undefined || (server.product !== undefined && product === undefined)) {
    return [];
  }
  return [
    {
      icon: 'symbol-string',
      label: l10n.t('Actor header: {0}', actorHeaderName(product ?? DEFAULT_PRODUCT)),
      description: l10n.t('Change…'),
      alwaysShow: true,
      action: 'product',
    },
  ];
}

/**
 * Lists the reason and the next steps.
 * @param server Its own description, sent before it refused.
 */
function failureChoices(
  { failure, server }: { readonly failure: ServiceFailure; readonly server: ServerFacts | undefined },
  summary: SummarizedConnection,
): SummaryItem[] {
  const { connection, details } = summary;
  const isTokenWrong = likelyWrongQuestion(failure) === 'token';
  const edit: SummaryItem = {
    icon: 'edit',
    label: isTokenWrong ? l10n.t('Edit Token') : l10n.t('Edit Address'),
    alwaysShow: true,
    action: likelyWrongQuestion(failure),
  };
  const retry: SummaryItem = { icon: 'refresh', label: l10n.t('Try Again'), alwaysShow: true, action: 'retry' };
  // Signing in doesn't ask for the address.
  const fixes = details === undefined && !isTokenWrong ? [retry] : failure.transient ? [retry, edit] : [edit, retry];
  const user = userItem({ icon: 'person', label: l10n.t('User: {0}', userOf(connection)) });
  return [
    separator(l10n.t('Problem')),
    ...failureItems(failure),
    ...(server?.product === undefined ? [] : [plainItem(serverVersionLine(server, server.version))]),
    separator(l10n.t('Next steps')),
    ...fixes,
    ...(failure.mayBeReachedFromRemote ? [{ ...runOnRemoteItem(), action: 'runOnRemote' as const }] : []),
    {
      icon: 'save',
      label: details === undefined ? l10n.t('Sign In Anyway') : l10n.t('Save Anyway'),
      alwaysShow: true,
      action: 'accept',
    },
    ...(details === undefined
      ? []
      : [
          separator(l10n.t('Connection')),
          ...detailItems(summary),
          user,
          // The service may refuse the caller because it reads another header.
          ...(server !== undefined && isTokenWrong ? productItems(summary, server) : []),
        ]),
  ];
}

/** Returns the question whose answer is most likely wrong. */
function likelyWrongQuestion({ kind }: ServiceFailure): 'token' | 'address' {
  return kind === 'signedOut' || kind === 'refused' || kind === 'storage' ? 'token' : 'address';
}
