/**
 * Tokens that were created for a terminal. Each is revoked when its terminal closes or, where the window closed
 * with it, once that connection's tokens are listed again. They end by themselves within an hour.
 */
import { hostname } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as v from 'valibot';
import type { Connection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import { language } from '../language.ts';
import type { Memento } from '../platform/memento.ts';
import type { CreatedTokens } from '../tokens/createdTokens.ts';
import type { TokenLists } from '../tokens/tokenLists.ts';
import { revokeAsAgreed } from '../tokens/revokeTokens.ts';
import { mutationFailure } from '../tokens/tokenTexts.ts';
import { MILLIS_PER_MINUTE } from '../time.ts';
import { formatsOf } from '../ui/formats.ts';
import type { Log } from '../ui/log.ts';
import { showWarning } from '../ui/messages.ts';

const PREFIX = 'terminalToken.';
/** In which a terminal of another window gets its process. */
const LONGEST_START_MILLIS = MILLIS_PER_MINUTE;

const RECORD = v.object({
  connectionId: v.string(),
  tokenId: v.string(),
  /** From `accountOf`. The ID means nothing on another server. */
  account: v.string(),
  /** Where the processes of its terminals run, from `terminalHost`. */
  host: v.string(),
  /** Unix time in ms. */
  openedAt: v.number(),
  /** Unix time in ms. */
  expiresAt: v.number(),
  /** Undefined until the shell runs. */
  processId: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});
export type TerminalToken = v.InferOutput<typeof RECORD>;

interface TerminalTokenParts {
  readonly store: ConnectionStore;
  readonly services: ServicePool;
  readonly tokenLists: TokenLists;
  readonly created: CreatedTokens;
  readonly log: Pick<Log, 'failure'>;
  readonly extensionKind: vscode.ExtensionKind;
}

export class TerminalTokens implements vscode.Disposable {
  readonly #parts: TerminalTokenParts;
  readonly #memory: Memento;
  readonly #host: string;
  /** Of this session, by key: in use, or being revoked. */
  readonly #followed = new Set<string>();
  readonly #terminals = new Map<vscode.Terminal, TerminalToken>();
  readonly #subscriptions: vscode.Disposable;

  /** @param memory Shared by all windows: an empty one never comes back. */
  constructor(parts: TerminalTokenParts, memory: Memento) {
    this.#parts = parts;
    this.#memory = memory;
    this.#host = terminalHost(parts.extensionKind);
    this.#subscriptions = vscode.Disposable.from(
      vscode.window.onDidCloseTerminal((terminal) => void this.#terminalClosed(terminal)),
      parts.tokenLists.onDidChange((id) => void this.#revokeLeftovers(id)),
    );
  }

  /** The record of a token that a terminal is about to get. */
  tokenOf(connection: Connection, tokenId: string, expiresAt: number): TerminalToken {
    const account = accountOf(connection);
    return { connectionId: connection.id, tokenId, account, host: this.#host, openedAt: Date.now(), expiresAt };
  }

  /** Stores which token to revoke. Call it before a terminal gets the token, so that a crash loses no ID. */
  async remember(token: TerminalToken): Promise<void> {
    this.#followed.add(keyOf(token));
    await this.#memory.update(keyOf(token), token);
  }

  /** Revokes the token when the terminal closes. */
  async follow(terminal: vscode.Terminal, token: TerminalToken): Promise<void> {
    this.#terminals.set(terminal, token);
    const processId = await terminal.processId;
    // Not if the connection was removed meanwhile.
    if (this.#terminals.has(terminal) && this.#memory.get(keyOf(token)) !== undefined) {
      await this.#memory.update(keyOf(token), { ...token, processId });
    }
  }

  /** Sends the revocation once, and forgets the token even if that fails. Reports a failure, never throws. */
  async revoke(token: TerminalToken): Promise<void> {
    this.#followed.add(keyOf(token));
    try {
      if (token.expiresAt > Date.now()) {
        await this.#sendRevocation(token);
      }
    } finally {
      // Only now: after a crash in between, revoking it again does no harm.
      await this.#memory.update(keyOf(token), undefined);
      this.#followed.delete(keyOf(token));
    }
  }

  /** Still follows terminals of this session, to say that their tokens live on. */
  async forgetConnection(connectionId: string): Promise<void> {
    const keys = this.#memory.keys().filter((key) => key.startsWith(`${PREFIX}${connectionId}.`));
    await Promise.all(keys.map((key) => this.#memory.update(key, undefined)));
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #sendRevocation({ connectionId, tokenId, account, expiresAt }: TerminalToken): Promise<void> {
    const connection = await this.#parts.store.getFresh(connectionId).catch(() => undefined);
    if (connection === undefined || accountOf(connection) !== account) {
      void showWarning(orphanedText(expiresAt));
      return;
    }
    try {
      await revokeAsAgreed(this.#parts, connection, tokenId);
    } catch (thrown) {
      this.#parts.log.failure(mutationFailure(thrown));
      void showWarning(unrevokedText(connection.name, expiresAt));
    }
  }

  async #terminalClosed(terminal: vscode.Terminal): Promise<void> {
    const opened = this.#terminals.get(terminal);
    this.#terminals.delete(terminal);
    // Opened before the extension host restarted.
    const processId = opened === undefined ? await terminal.processId : undefined;
    const isMeant = (one: TerminalToken) =>
      processId !== undefined && one.processId === processId && one.host === this.#host;
    const token = opened ?? this.#tokens().find(isMeant);
    if (token !== undefined && (opened !== undefined || !this.#followed.has(keyOf(token)))) {
      await this.revoke(token);
    }
  }

  async #revokeLeftovers(connectionId: string): Promise<void> {
    // Nothing is sent before a listing shows that the connection is in use and signed in.
    if (!this.#parts.tokenLists.get(connectionId).isLoaded) {
      return;
    }
    for (const token of this.#tokens().filter((one) => one.connectionId === connectionId)) {
      await this.#revokeLeftover(token);
    }
  }

  async #revokeLeftover(token: TerminalToken): Promise<void> {
    const isFollowed = (): boolean => this.#followed.has(keyOf(token));
    if (!isFollowed() && !(await this.#mayBeOpen(token)) && !isFollowed()) {
      await this.revoke(token);
    }
  }

  /**
   * True for a terminal from before a restart of the extension host, or of another window. Until the token expires
   * also for one of another machine, whose processes can't be looked up.
   */
  async #mayBeOpen({ host, openedAt, expiresAt, processId }: TerminalToken): Promise<boolean> {
    if (host !== this.#host || expiresAt <= Date.now()) {
      return expiresAt > Date.now();
    }
    if (processId === undefined) {
      return Math.abs(Date.now() - openedAt) < LONGEST_START_MILLIS;
    }
    // Without waiting for terminals whose shell doesn't run.
    const open = await Promise.all(
      vscode.window.terminals.map((terminal) => Promise.race([terminal.processId, undefined])),
    );
    return open.includes(processId) || isRunning(processId);
  }

  #tokens(): readonly TerminalToken[] {
    return this.#memory.keys().flatMap((key) => {
      const parsed = v.safeParse(RECORD, key.startsWith(PREFIX) ? this.#memory.get(key) : undefined);
      return parsed.success && keyOf(parsed.output) === key ? [parsed.output] : [];
    });
  }
}

function keyOf({ connectionId, tokenId }: TerminalToken): string {
  return `${PREFIX}${connectionId}.${tokenId}`;
}

function orphanedText(expiresAt: number): string {
  return l10n.t(
    "The access token of a closed terminal wasn't revoked: its connection was removed or changed. The token expires on {0}.",
    formatsOf(language()).time(expiresAt),
  );
}

function unrevokedText(connectionName: string, expiresAt: number): string {
  return l10n.t(
    'The access token of a closed terminal may not have been revoked on "{0}". The token expires on {1}.',
    connectionName,
    formatsOf(language()).time(expiresAt),
  );
}

/** Server and user. The product doesn't matter to tokens. */
function accountOf({ baseUrl, actorUrn }: Connection): string {
  return JSON.stringify([baseUrl, actorUrn]);
}

/** Identifies the machine where the processes of this window's terminals run. */
function terminalHost(extensionKind: vscode.ExtensionKind): string {
  const { remoteName, sessionId } = vscode.env;
  // Next to the window, the extension can't look up processes of the remote machine.
  const isElsewhere = remoteName !== undefined && extensionKind === vscode.ExtensionKind.UI;
  return JSON.stringify([hostname(), remoteName, ...(isElsewhere ? [sessionId] : [])]);
}

function isRunning(processId: number): boolean {
  try {
    // Sends nothing: only asks whether the process exists.
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
