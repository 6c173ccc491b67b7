/** Checks a connection, and describes the result. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toServiceFailure, type ServiceFailure } from '../service/failure/failure.ts';
import { tokenElsewhereProblem } from '../service/failure/redaction.ts';
import type { CallerRights } from '../service/server/callerRights.ts';
import { DEFAULT_PRODUCT, actorHeaderName, productProblem, type ServerFacts } from '../service/server/serverInfo.ts';
import type { ConnectionCheck, MetadataService } from '../service/service.ts';
import {
  askText,
  showInput,
  type StepAnswer,
  type StepPlace,
  setPlaceholder,
  createPickList,
  failureItems,
  showPickItems,
  type PickItem,
} from '../ui/inputSteps.ts';
import type { Connection } from './connection.ts';
import { connectionFrom, type ConnectionDraft } from './connectionDraft.ts';
import type { ServicePool } from './servicePool.ts';
import { PRIVILEGES } from '../service/failure/privileges.ts';
import { shortActorName } from '../service/server/identifiers.ts';

/** The steps that this one may lead back to. */
export const STEPS = { address: 'address', token: 'token' } as const;
type EditableStepName = keyof typeof STEPS;

interface ConnectionCheckItem extends PickItem {
  readonly action?: 'save' | 'retry' | 'product' | EditableStepName;
}

/** The action after the check. */
type ConnectionCheckPurpose = 'save' | 'signIn';

/** Checks until the user accepts. Asks for the product if the server doesn't say it. */
export async function checkUntilAccepted(
  place: StepPlace,
  draft: ConnectionDraft,
  services: ServicePool,
  token: string | undefined,
  purpose: ConnectionCheckPurpose = 'save',
): Promise<StepAnswer<void>> {
  for (;;) {
    const answer = await checkAndAsk(place, draft, services, token, purpose);
    if (answer.kind !== 'value') {
      return answer;
    }
    if (answer.value === 'save') {
      return { kind: 'value', value: undefined };
    }
    const product = await askText(place, {
      value: draft.product,
      prompt: l10n.t('Product name used in the X-<Product>-Actor header. Leave empty to detect it.'),
      placeholder: DEFAULT_PRODUCT,
      problem: (text) => (text.trim() === '' ? undefined : (productProblem(text) ?? tokenElsewhereProblem(text))),
    });
    draft.product = product.kind === 'value' ? product.value.trim() : draft.product;
  }
}

function checkAndAsk(
  place: StepPlace,
  draft: ConnectionDraft,
  services: ServicePool,
  token: string | undefined,
  purpose: ConnectionCheckPurpose,
): Promise<StepAnswer<'save' | 'product'>> {
  const pick = createPickList<ConnectionCheckItem>(l10n.t('Testing connection…'));
  const connection = connectionFrom(draft);
  let attempt: AbortController | undefined;
  const runCheckAttempt = async (): Promise<void> => {
    attempt?.abort();
    const current = (attempt = new AbortController());
    const service = services.createTemporary(connection, token);
    pick.busy = true;
    showPickItems(pick, [
      { icon: 'sync~spin', label: l10n.t('Connecting to {0}…', connection.baseUrl), alwaysShow: true },
    ]);
    try {
      const { check, rights } = await checkServer(service, current.signal);
      if (!current.signal.aborted) {
        setPlaceholder(pick, l10n.t('The connection works'));
        showPickItems(pick, successItems(check, rights, connection, token !== undefined, purpose));
      }
    } catch (thrown) {
      if (!current.signal.aborted) {
        const items = failureChoices(toServiceFailure(thrown), connection, service.capabilities.known.server, purpose);
        setPlaceholder(pick, l10n.t("Can't connect"));
        showPickItems(
          pick,
          items,
          items.find(({ action }) => action !== undefined),
        );
      }
    } finally {
      service.close();
      if (!current.signal.aborted) {
        pick.busy = false;
      }
    }
  };
  void runCheckAttempt();
  const answered = showInput<'save' | 'product'>(pick, place, (done) => [
    pick.onDidAccept(() => {
      const action = pick.selectedItems[0]?.action;
      if (action === 'save') {
        done({ kind: 'value', value: 'save' });
      } else if (action === 'retry') {
        void runCheckAttempt();
      } else if (action === 'product') {
        done({ kind: 'value', value: 'product' });
      } else if (action !== undefined) {
        done({ kind: 'back', to: STEPS[action] });
      }
    }),
  ]);
  // Whichever way the user leaves the step, stop the check.
  return answered.finally(() => attempt?.abort());
}

function successItems(
  check: ConnectionCheck,
  rights: CallerRights | undefined,
  connection: Connection,
  signedIn: boolean,
  purpose: ConnectionCheckPurpose,
): ConnectionCheckItem[] {
  return [
    {
      icon: 'check',
      label: purpose === 'save' ? l10n.t('Save Connection') : l10n.t('Sign In'),
      alwaysShow: true,
      action: 'save',
    },
    { label: l10n.t('Server details'), kind: vscode.QuickPickItemKind.Separator },
    ...checkResultLines(check, connection.actorUrn, signedIn, rights).map((line): ConnectionCheckItem =>
      Object.assign({ alwaysShow: true }, line),
    ),
    ...productItems(connection, check.server, purpose),
  ];
}

/**
 * Offers to change the product's name if the server doesn't say it, or if the user typed another one.
 * @param server Undefined if it wasn't reached, so that no header was sent.
 */
function productItems(
  { product }: Connection,
  server: ServerFacts | undefined,
  purpose: ConnectionCheckPurpose,
): ConnectionCheckItem[] {
  if (purpose === 'signIn' || server === undefined || (server.product !== undefined && product === undefined)) {
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
  failure: ServiceFailure,
  connection: Connection,
  server: ServerFacts | undefined,
  purpose: ConnectionCheckPurpose,
): ConnectionCheckItem[] {
  const wrong = likelyWrongStep(failure);
  const edit: ConnectionCheckItem = {
    icon: 'edit',
    label: wrong === 'token' ? l10n.t('Edit Token') : l10n.t('Edit Address'),
    alwaysShow: true,
    action: wrong,
  };
  const retry: ConnectionCheckItem = { icon: 'refresh', label: l10n.t('Try Again'), alwaysShow: true, action: 'retry' };
  // Signing in doesn't ask for the address.
  const fixes =
    purpose === 'signIn' && wrong === 'address' ? [retry] : failure.transient ? [retry, edit] : [edit, retry];
  return [
    { label: l10n.t('Problem'), kind: vscode.QuickPickItemKind.Separator },
    ...failureItems(failure),
    ...(server?.product === undefined ? [] : [{ ...serverVersionLine(server, server.version), alwaysShow: true }]),
    { label: l10n.t('Next steps'), kind: vscode.QuickPickItemKind.Separator },
    ...fixes,
    {
      icon: 'save',
      label: purpose === 'save' ? l10n.t('Save Anyway') : l10n.t('Sign In Anyway'),
      alwaysShow: true,
      action: 'save',
    },
    ...productItems(connection, server, purpose),
  ];
}

/** Returns the step whose input is most likely wrong. */
function likelyWrongStep({ kind }: ServiceFailure): EditableStepName {
  return kind === 'signedOut' || kind === 'refused' || kind === 'storage' ? 'token' : 'address';
}

interface ServerCheckResult {
  readonly check: ConnectionCheck;
  /** Undefined if unknown. */
  readonly rights: CallerRights | undefined;
}

/** @throws ServiceFailure if the server is unusable. Privileges may stay unknown. */
export async function checkServer(service: MetadataService, signal: AbortSignal): Promise<ServerCheckResult> {
  const check = await service.check(signal);
  // Without an identity, servers list no privileges.
  const rights = check.identity === undefined ? undefined : await service.callerRights(signal).catch(() => undefined);
  return { check, rights };
}

export interface CheckResultLine {
  readonly icon: string;
  readonly label: string;
  /** Undefined if the label has the reason. */
  readonly detail?: string;
}

/**
 * Returns a line for each fact.
 * @param rights Undefined if unknown.
 */
export function checkResultLines(
  check: ConnectionCheck,
  typedActor: string,
  signedIn: boolean,
  rights?: CallerRights,
): CheckResultLine[] {
  const { server, identity, version, tokensEnabled, tokensRefused } = check;
  const lines: CheckResultLine[] = [serverVersionLine(server, version)];
  if (identity === undefined) {
    lines.push({
      icon: 'person',
      label: l10n.t('{0} (not verified by the server)', shortActorName(typedActor)),
    });
  } else if (identity.actorUrn === typedActor) {
    lines.push({ icon: 'person', label: l10n.t('Signed in as {0}', shortActorName(identity.actorUrn)) });
  } else {
    lines.push({
      icon: 'warning',
      label: l10n.t('Signed in as {0}, not {1}', shortActorName(identity.actorUrn), shortActorName(typedActor)),
    });
  }
  if (identity !== undefined) {
    lines.push(
      identity.mayGenerateTokens
        ? { icon: 'key', label: l10n.t('Can create access tokens') }
        : {
            icon: 'lock',
            label: l10n.t("Can't create access tokens"),
            detail: missingPrivilegeDetail(PRIVILEGES.generateTokens),
          },
    );
    if (identity.mayManageAllTokens) {
      lines.push({ icon: 'organization', label: l10n.t("Can manage all users' access tokens") });
    }
  }
  if (tokensRefused !== undefined) {
    const { message, privilege } = tokensRefused;
    const refusal = { icon: 'lock', label: message };
    lines.push(privilege === undefined ? refusal : { ...refusal, detail: missingPrivilegeDetail(privilege) });
  }
  lines.push(...privilegeLines(rights));
  if (tokensEnabled === false) {
    lines.push({ icon: 'warning', label: l10n.t('Token authentication is turned off on this server') });
  }
  if (!signedIn) {
    lines.push({
      icon: 'info',
      label: l10n.t('Without an access token, index sizes and truncation may be refused'),
    });
  }
  return lines;
}

function serverVersionLine({ product }: ServerFacts, version: string | undefined): CheckResultLine {
  return {
    icon: 'server',
    label: [product ?? l10n.t('Unidentified metadata service'), version].filter((part) => part !== undefined).join(' '),
  };
}

function missingPrivilegeDetail(privilege: string): string {
  return l10n.t('Missing privilege "{0}"', privilege);
}

/** Missing privileges are hints, since not every server enforces them. */
function privilegeLines(rights: CallerRights | undefined): CheckResultLine[] {
  if (rights?.readSizes === true && rights.truncate === true && rights.watchTasks === true) {
    return [{ icon: 'database', label: l10n.t('Can read index sizes, truncate indices and monitor tasks') }];
  }
  return [
    ...(rights?.readSizes === false ? [privilegeHint(l10n.t('Index sizes may be refused'), PRIVILEGES.readSizes)] : []),
    ...(rights?.truncate === false ? [privilegeHint(l10n.t('Truncation may be refused'), PRIVILEGES.truncate)] : []),
    ...(rights?.watchTasks === false
      ? [privilegeHint(l10n.t('Monitoring tasks may be refused'), PRIVILEGES.watchTasks)]
      : []),
  ];
}

function privilegeHint(label: string, privilege: string): CheckResultLine {
  return {
    icon: 'info',
    label,
    detail: l10n.t('Missing privilege "{0}" (not enforced by every server)', privilege),
  };
}
