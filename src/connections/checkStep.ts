/** The last step: the connection is tried before it is saved, and what was found, or what is wrong, is shown. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DEFAULT_PRODUCT, actorHeaderName, productProblem } from '../service/server/product.ts';
import type { ServerFacts } from '../service/server/product.ts';
import { tokenElsewhereProblem } from '../service/pastedToken.ts';
import { asFailure } from '../service/failure/failure.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import type { Rights } from '../service/server/privileges.ts';
import type { ConnectionCheck } from '../service/service.ts';
import { ask, createPick, failureItems, offer, type PickItem } from '../ui/quickPick.ts';
import { askText, show } from '../ui/inputSteps.ts';
import type { Answer, StepPlace } from '../ui/inputSteps.ts';
import { connectionFrom } from './connectionDraft.ts';
import type { ConnectionDraft } from './connectionDraft.ts';
import { checkServer } from './checkServer.ts';
import { checkLines, serverLine } from './checkText.ts';
import type { Connection } from './connection.ts';
import type { ServicePool } from './servicePool.ts';

/** The steps that this one leads back to. */
export const STEPS = { address: 'address', token: 'token' } as const;
type EditableStep = keyof typeof STEPS;

interface CheckItem extends PickItem {
  readonly does?: 'save' | 'retry' | 'product' | EditableStep;
}

/** What the person does with a connection that was tried: saves it, or signs in to one that is saved. */
type CheckPurpose = 'save' | 'signIn';

/** Tries the connection until it is taken; the product's name can be given on the way, for servers that do not say theirs. */
export async function askCheck(
  place: StepPlace,
  draft: ConnectionDraft,
  services: ServicePool,
  token: string | undefined,
  purpose: CheckPurpose = 'save',
): Promise<Answer<void>> {
  for (;;) {
    const answer = await tryAndAsk(place, draft, services, token, purpose);
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

function tryAndAsk(
  place: StepPlace,
  draft: ConnectionDraft,
  services: ServicePool,
  token: string | undefined,
  purpose: CheckPurpose,
): Promise<Answer<'save' | 'product'>> {
  const pick = createPick<CheckItem>(l10n.t('Testing connection…'));
  const connection = connectionFrom(draft);
  let attempt: AbortController | undefined;
  const tryIt = async (): Promise<void> => {
    attempt?.abort();
    const mine = (attempt = new AbortController());
    const service = services.createTemporary(connection, token);
    pick.busy = true;
    offer(pick, [{ icon: 'sync~spin', label: l10n.t('Connecting to {0}…', connection.baseUrl), alwaysShow: true }]);
    try {
      const { check, rights } = await checkServer(service, mine.signal);
      if (!mine.signal.aborted) {
        ask(pick, l10n.t('The connection works'));
        offer(pick, goodItems(check, rights, connection, token !== undefined, purpose));
      }
    } catch (thrown) {
      if (!mine.signal.aborted) {
        const items = badItems(asFailure(thrown), connection, service.capabilities.known.server, purpose);
        ask(pick, l10n.t("Can't connect"));
        offer(
          pick,
          items,
          items.find(({ does }) => does !== undefined),
        );
      }
    } finally {
      service.close();
      if (!mine.signal.aborted) {
        pick.busy = false;
      }
    }
  };
  void tryIt();
  const answered = show<'save' | 'product'>(pick, place, (done) => [
    pick.onDidAccept(() => {
      const does = pick.selectedItems[0]?.does;
      if (does === 'save') {
        done({ kind: 'value', value: 'save' });
      } else if (does === 'retry') {
        void tryIt();
      } else if (does === 'product') {
        done({ kind: 'value', value: 'product' });
      } else if (does !== undefined) {
        done({ kind: 'back', to: STEPS[does] });
      }
    }),
  ]);
  // However the step is left, by Back too: nobody waits for the attempt any more.
  return answered.finally(() => attempt?.abort());
}

function goodItems(
  check: ConnectionCheck,
  rights: Rights | undefined,
  connection: Connection,
  signedIn: boolean,
  purpose: CheckPurpose,
): CheckItem[] {
  return [
    {
      icon: 'check',
      label: purpose === 'save' ? l10n.t('Save Connection') : l10n.t('Sign In'),
      alwaysShow: true,
      does: 'save',
    },
    { label: l10n.t('Server details'), kind: vscode.QuickPickItemKind.Separator },
    ...checkLines(check, connection.actorUrn, signedIn, rights).map((line): CheckItem =>
      Object.assign({ alwaysShow: true }, line),
    ),
    ...productItems(connection, check.server, purpose),
  ];
}

/**
 * Only where the server does not say which product it is, or one typed another, does its name matter, and can be wrong.
 * @param server Undefined: it was not reached, so that no header was sent.
 */
function productItems({ product }: Connection, server: ServerFacts | undefined, purpose: CheckPurpose): CheckItem[] {
  if (purpose === 'signIn' || server === undefined || (server.product !== undefined && product === undefined)) {
    return [];
  }
  return [
    {
      icon: 'symbol-string',
      label: l10n.t('Actor header: {0}', actorHeaderName(product ?? DEFAULT_PRODUCT)),
      description: l10n.t('Change…'),
      alwaysShow: true,
      does: 'product',
    },
  ];
}

/**
 * The reason first; what to do about it is marked from the start.
 * @param server What it said of itself before it refused.
 */
function badItems(
  failure: ServiceFailure,
  connection: Connection,
  server: ServerFacts | undefined,
  purpose: CheckPurpose,
): CheckItem[] {
  const wrong = wrongStep(failure);
  const edit: CheckItem = {
    icon: 'edit',
    label: wrong === 'token' ? l10n.t('Edit Token') : l10n.t('Edit Address'),
    alwaysShow: true,
    does: wrong,
  };
  const retry: CheckItem = { icon: 'refresh', label: l10n.t('Try Again'), alwaysShow: true, does: 'retry' };
  // Who signs in has no address to edit.
  const fixes =
    purpose === 'signIn' && wrong === 'address' ? [retry] : failure.transient ? [retry, edit] : [edit, retry];
  return [
    { label: l10n.t('Problem'), kind: vscode.QuickPickItemKind.Separator },
    ...failureItems(failure),
    ...(server?.product === undefined ? [] : [{ ...serverLine(server, server.version), alwaysShow: true }]),
    { label: l10n.t('Next steps'), kind: vscode.QuickPickItemKind.Separator },
    ...fixes,
    {
      icon: 'save',
      label: purpose === 'save' ? l10n.t('Save Anyway') : l10n.t('Sign In Anyway'),
      alwaysShow: true,
      does: 'save',
    },
    ...productItems(connection, server, purpose),
  ];
}

/** Where what was entered is most likely wrong. */
function wrongStep({ kind }: ServiceFailure): EditableStep {
  return kind === 'signedOut' || kind === 'refused' || kind === 'storage' ? 'token' : 'address';
}
