/** The questions of the connection form, one for each field. */
import * as l10n from '@vscode/l10n';
import { tokenElsewhereProblem } from '../service/failure/redaction.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import { DEFAULT_PRODUCT, productProblem } from '../service/server/serverInfo.ts';
import { pastedToken } from '../service/tokens/pastedToken.ts';
import { askAndStore, askText, type InputStep } from '../ui/inputSteps.ts';
import { normalizedName } from '../ui/sameName.ts';
import { headerProblem, parseHeader } from './additionalHeaders.ts';
import { askAddress } from './addressField.ts';
import { hostOf } from './connection.ts';
import {
  hasToken,
  keepsStoredToken,
  moveDraftTo,
  nameOfDraft,
  nameProblem,
  roleOfDraft,
  takeToken,
  tokenProblem,
  typedUserOf,
  userProblem,
  type ConnectionDraft,
} from './connectionDraft.ts';
import { askConnectionRole } from './connectionQuestions.ts';

export type ConnectionField = 'address' | 'token' | 'user' | 'name' | 'role' | 'product' | 'headers';

export interface FieldContext {
  /** Keeps the input. */
  readonly draft: ConnectionDraft;
  readonly otherNames: readonly string[];
  /** True if a token is asked for, and must be given. */
  readonly isSignIn: boolean;
}

/** The questions behind a row of the form: another origin needs another token. */
export function stepsOfField(field: ConnectionField, context: FieldContext): readonly InputStep[] {
  if (field !== 'address') {
    return [QUESTIONS[field](context)];
  }
  const hadToken = hasToken(context.draft);
  const lostToken = (): boolean => hadToken && !hasToken(context.draft);
  return [QUESTIONS.address(context), { ...QUESTIONS.token(context), applies: lostToken }];
}

export const QUESTIONS: Readonly<Record<ConnectionField, (context: FieldContext) => InputStep>> = {
  address: ({ draft }) => ({
    ask: (place) =>
      askAndStore(
        askAddress(place, draft, draft.saved === undefined),
        ({ baseUrls: [baseUrl, ...others], imported }) => {
          moveDraftTo(draft, baseUrl, others);
          if (imported?.token !== undefined) {
            takeToken(draft, imported.token, imported.source);
          }
          const headers = Object.entries(imported?.headers ?? {});
          draft.headers = [...draft.headers, ...headers.map(([name, value]) => ({ name, value }))];
        },
      ),
  }),

  token: (context) => ({
    ask: (place) => {
      const { draft, isSignIn } = context;
      return askAndStore(
        askText(place, {
          value: draft.token ?? '',
          password: true,
          ...tokenTexts(context),
          problem: (text) =>
            isSignIn && pastedToken(text) === '' ? l10n.t('Enter an access token.') : tokenProblem(text),
        }),
        (text) => takeToken(draft, pastedToken(text) || undefined),
      );
    },
  }),

  user: ({ draft }) => ({
    ask: (place) =>
      askAndStore(
        askText(place, {
          value: draft.typedUser === undefined ? '' : shortActorName(draft.typedUser),
          prompt: l10n.t('Your user ID or URN, for example jdoe or urn:li:corpuser:jdoe.'),
          placeholder: l10n.t('for example jdoe'),
          problem: (text) => (text.trim() === '' ? undefined : userProblem(text)),
        }),
        (text) => (draft.typedUser = typedUserOf(text)),
      ),
  }),

  name: ({ draft, otherNames }) => ({
    ask: (place) =>
      askAndStore(
        askText(place, {
          value: nameOfDraft(draft, otherNames),
          prompt: l10n.t('A name for this connection.'),
          problem: (text) => nameProblem(text, otherNames),
        }),
        (text) => (draft.name = normalizedName(text)),
      ),
  }),

  role: ({ draft, otherNames }) => ({
    ask: (place) => {
      const subject = { name: nameOfDraft(draft, otherNames), baseUrl: draft.baseUrl, role: roleOfDraft(draft) };
      return askAndStore(askConnectionRole(place, subject), (role) => (draft.role = role));
    },
  }),

  product: ({ draft }) => ({
    ask: (place) =>
      askAndStore(
        askText(place, {
          value: draft.product ?? '',
          prompt: l10n.t('Product name used in the X-<Product>-Actor header. Leave empty to detect it.'),
          placeholder: DEFAULT_PRODUCT,
          problem: (text) => (text.trim() === '' ? undefined : (productProblem(text) ?? tokenElsewhereProblem(text))),
        }),
        (text) => (draft.product = text.trim() || undefined),
      ),
  }),

  headers: ({ draft }) => ({
    ask: (place) =>
      askAndStore(
        askText(place, {
          value: '',
          password: true,
          prompt: l10n.t(
            'Header that a proxy or gateway in front of the server requires, as Name: value. Omit the value to remove the header.',
          ),
          placeholder: 'CF-Access-Client-Id: …',
          problem: (text) => headerProblem(parseHeader(text)),
        }),
        (text) => {
          const header = parseHeader(text);
          draft.headers = header === undefined ? draft.headers : [...draft.headers, header];
        },
      ),
  }),
};

function tokenTexts({ draft, isSignIn }: FieldContext): {
  readonly prompt: string;
  readonly placeholder?: string;
} {
  if (isSignIn) {
    return { prompt: l10n.t('Access token for {0}. Stored securely in VS Code secret storage.', hostOf(draft)) };
  }
  return keepsStoredToken({ ...draft, token: undefined })
    ? {
        prompt: l10n.t('Access token. Leave empty to keep the stored one.'),
        placeholder: l10n.t('unchanged'),
      }
    : {
        prompt: l10n.t('Access token (optional). Stored securely in VS Code secret storage.'),
        placeholder: l10n.t('Paste a token, or leave empty to sign in later'),
      };
}
