/** When a connection's credential ends, and the time before in which that is shown. Loaded at startup. */
import * as l10n from '@vscode/l10n';
import { soonMillis } from '../service/tokens/expiresSoon.ts';
import { language } from '../language.ts';
import { COMMANDS, type CommandId } from '../manifest.ts';
import { formatsOf } from '../ui/formats.ts';
import { isSignedIn, type Connection, type SignIn } from './connection.ts';
import type { ServicePool } from './servicePool.ts';

export interface CredentialWarning {
  /** Behind a name. */
  readonly short: string;
  /** With the next step, which `command` takes. */
  readonly advice: string;
  readonly command: CommandId;
}

/**
 * Returns the warning for a credential that has expired or expires soon.
 * @param now Unix time in ms.
 * @returns undefined for any other, and if its end is unknown.
 */
export function credentialWarning(
  connection: Connection,
  now: number,
  isRotatable: boolean,
): CredentialWarning | undefined {
  const { endsAt: expiresAt = Infinity, storedAt = 0 } = connection.signIn ?? {};
  // The life of a token that wasn't created here counts from the sign-in.
  if (now < expiresAt - soonMillis(Math.max(0, expiresAt - storedAt))) {
    return undefined;
  }
  const { time, distance } = formatsOf(language());
  const at = time(expiresAt);
  if (expiresAt <= now) {
    return {
      short: l10n.t('token expired'),
      advice: l10n.t('Its access token expired on {0}. Sign in with another one.', at),
      command: COMMANDS.connectionSignIn,
    };
  }
  const short = l10n.t('token expires {0}', distance(expiresAt, now));
  return isRotatable
    ? {
        short,
        advice: l10n.t('Its access token expires on {0}. "Rotate Connection\'s Access Token" replaces it.', at),
        command: COMMANDS.connectionRotateToken,
      }
    : {
        short,
        advice: l10n.t('Its access token expires on {0}. Sign in with another one before then.', at),
        command: COMMANDS.connectionSignIn,
      };
}

/** Returns the word after a name. Undefined if the user didn't sign out: a server may need no token. */
export function signedOutWord({ signIn, signedOutAt }: Pick<Connection, 'signIn' | 'signedOutAt'>): string | undefined {
  return signIn === undefined && signedOutAt !== undefined ? l10n.t('signed out') : undefined;
}

/** Otherwise the next step is to sign in with another token: the web front end alone can renew that of a session. */
export function canRotate(connection: Pick<Connection, 'role' | 'signIn'>): boolean {
  return connection.role !== 'readOnly' && isSignedIn(connection) && connection.signIn?.isSession !== true;
}

/** Nor can a user who is known to lack the privilege. */
export function mayRotate(services: Pick<ServicePool, 'get'>, connection: Connection): boolean {
  return canRotate(connection) && !services.get(connection).tokens.cannotCreate('own');
}

/** As users know it. No setting, so a workspace can't name another file. */
export const COMMAND_LINE_FILE = '~/.datahubenv';
export const COMMAND_LINE_VARIABLE = 'DATAHUB_GMS_URL';

/** Where the command line on this machine has the same token. */
export function commandLineTokenPlace(source: NonNullable<SignIn['source']>): string {
  return source === 'commandLineEnvironment' ? 'DATAHUB_GMS_TOKEN' : COMMAND_LINE_FILE;
}
