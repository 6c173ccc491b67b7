/** When a connection's credential ends, and the time before in which that is shown. Loaded at startup. */
import * as l10n from '@vscode/l10n';
import { soonMillis } from '../service/tokens/expiresSoon.ts';
import { MILLIS_PER_DAY, type Clock } from '../time.ts';
import { tokenStoredAt, type Connection, type SignIn } from './connection.ts';

/** The least for a credential of unknown age, unless half of what was left at the sign-in is less. */
const SHORTEST_WARNING_MILLIS = MILLIS_PER_DAY;
/** Timers stand still while the machine sleeps, and take no more than 24 days. */
const LONGEST_WAIT_MILLIS = MILLIS_PER_DAY;

export interface CredentialEnd {
  readonly state: 'ending' | 'expired';
  /** Unix time in ms. */
  readonly expiresAt: number;
}

type CredentialOwner = Pick<Connection, 'signIn'>;

/** @returns undefined if it doesn't end soon, or when is unknown. @param now Unix time in ms. */
export function credentialEnd(connection: CredentialOwner, now: number): CredentialEnd | undefined {
  const { expiresAt, warnsAt } = endOfCredential(connection);
  if (now < warnsAt) {
    return undefined;
  }
  return { state: expiresAt <= now ? 'expired' : 'ending', expiresAt };
}

/** @returns when its next state begins, as Unix time in ms. Infinity if none does. */
function nextCredentialChange(connection: CredentialOwner, now: number): number {
  const { expiresAt, warnsAt } = endOfCredential(connection);
  return [warnsAt, expiresAt].find((at) => at > now) ?? Infinity;
}

/** Calls `run` once when the next state of one of them may begin. @returns a function that cancels the call. */
export function afterCredentialChange(
  connections: readonly CredentialOwner[],
  clock: Clock,
  run: () => void,
): () => void {
  const now = clock.now();
  const next = Math.min(...connections.map((one) => nextCredentialChange(one, now)));
  return Number.isFinite(next) ? clock.after(Math.min(next - now, LONGEST_WAIT_MILLIS), run) : () => undefined;
}

/** Returns the word after a name. Undefined if the user didn't sign out: a server may need no token. */
export function signedOutWord({ signIn, signedOutAt }: Pick<Connection, 'signIn' | 'signedOutAt'>): string | undefined {
  return signIn === undefined && signedOutAt !== undefined ? l10n.t('signed out') : undefined;
}

/** Otherwise the next step is to sign in with another token. */
export function canRotate({ role, signIn }: Pick<Connection, 'role' | 'signIn'>): boolean {
  return role !== 'readOnly' && signIn?.isSession !== true && signIn?.source !== 'commandLineSession';
}

/** As users know it. No setting, so a workspace can't name another file. */
export const COMMAND_LINE_FILE = '~/.datahubenv';
export const COMMAND_LINE_VARIABLE = 'DATAHUB_GMS_URL';

/** Where the command line on this machine has the same token. */
export function commandLineTokenPlace(source: NonNullable<SignIn['source']>): string {
  return source === 'commandLineEnvironment' ? 'DATAHUB_GMS_TOKEN' : COMMAND_LINE_FILE;
}

function endOfCredential(owner: CredentialOwner): { readonly warnsAt: number; readonly expiresAt: number } {
  const { endsAt: expiresAt = Infinity, tokenId } = owner.signIn ?? {};
  const length = Math.max(0, expiresAt - (tokenStoredAt(owner) ?? 0));
  // Only of a token that was created here is the length that of its whole life.
  const least = tokenId === undefined ? Math.min(SHORTEST_WARNING_MILLIS, length / 2) : 0;
  return { warnsAt: expiresAt - Math.max(soonMillis(length), least), expiresAt };
}
