/**
 * Tokens that were created for a terminal. Each is revoked when its terminal closes or, where the window closed
 * with it, once that connection's tokens are listed again. They end by themselves within an hour.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as v from 'valibot';
import { identityOf } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import { language } from '../language.ts';
import type { CreatedTokens } from '../tokens/createdTokens.ts';
import type { TokenLists } from '../tokens/tokenLists.ts';
import { revokeAsAgreed } from '../tokens/revokeTokens.ts';
import { mutationFailure } from '../tokens/tokenTexts.ts';
import { formatsOf } from '../ui/formats.ts';
import type { Log } from '../ui/log.ts';
import { showWarning } from '../ui/messages.ts';

const PREFIX = 'terminalToken.';

const RECORD = v.object({
  connectionId: v.string(),
  tokenId: v.string(),
  /** From `identityOf`. The ID means nothing on another server. */
  identity: v.string(),
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
  readonly log: Log;
}

export class TerminalTokens implements vscode.Disposable {
  readonly #parts: TerminalTokenParts;
  readonly #memory: vscode.Memento;
  /** Of this session, by key: in use, or being revoked. */
  readonly #followed = new Set<string>();
  readonly #terminals = new Map<vscode.Terminal, TerminalToken>();
  readonly #subscriptions: vscode.Disposable;

  /** @param memory Per workspace: terminals belong to one. */
  constructor(parts: TerminalTokenParts, memory: vscode.Memento) {
    this.#parts = parts;
    this.#memory = memory;
    this.#subscriptions = vscode.Disposable.from(
      vscode.window.onDidCloseTerminal((terminal) => void this.#terminalClosed(terminal)),
      parts.tokenLists.onDidChange((id) => {
        // Nothing is sent before a listing shows that the connection is in use and signed in.
        if (parts.tokenLists.get(id).isLoaded) {
          void this.#revokeLeftovers(id);
        }
      }),
    );
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
    if (this.#terminals.has(terminal)) {
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

  async forgetConnection(connectionId: string): Promise<void> {
    await Promise.all(this.#tokensOf(connectionId).map((token) => this.#memory.update(keyOf(token), undefined)));
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #sendRevocation({ connectionId, tokenId, identity, expiresAt }: TerminalToken): Promise<void> {
    const connection = await this.#parts.store.getFresh(connectionId).catch(() => undefined);
    if (connection === undefined || identityOf(connection) !== identity) {
      return;
    }
    try {
      await revokeAsAgreed(this.#parts, connection, tokenId);
    } catch (thrown) {
      this.#parts.log.failure(mutationFailure(thrown));
      void showWarning(
        l10n.t(
          'The access token of a closed terminal may not be revoked on "{0}". It ends by itself: {1}.',
          connection.name,
          formatsOf(language()).time(expiresAt),
        ),
      );
    }
  }

  async #terminalClosed(terminal: vscode.Terminal): Promise<void> {
    const opened = this.#terminals.get(terminal);
    this.#terminals.delete(terminal);
    // Opened before the extension host restarted.
    const processId = opened === undefined ? await terminal.processId : undefined;
    const token = opened ?? this.#tokensOf('').find((one) => processId !== undefined && one.processId === processId);
    if (token !== undefined && (opened !== undefined || !this.#followed.has(keyOf(token)))) {
      await this.revoke(token);
    }
  }

  async #revokeLeftovers(connectionId: string): Promise<void> {
    for (const token of this.#tokensOf(connectionId)) {
      if (!this.#followed.has(keyOf(token)) && !(await isOpen(token)) && !this.#followed.has(keyOf(token))) {
        await this.revoke(token);
      }
    }
  }

  /** @param connectionId Empty for all. */
  #tokensOf(connectionId: string): readonly TerminalToken[] {
    return this.#memory.keys().flatMap((key) => {
      const parsed = v.safeParse(RECORD, key.startsWith(PREFIX) ? this.#memory.get(key) : undefined);
      const isMeant = parsed.success && (connectionId === '' || parsed.output.connectionId === connectionId);
      return isMeant && keyOf(parsed.output) === key ? [parsed.output] : [];
    });
  }
}

function keyOf({ connectionId, tokenId }: TerminalToken): string {
  return `${PREFIX}${connectionId}.${tokenId}`;
}

/** True for a terminal from before a restart of the extension host, or of another window on the same folder. */
async function isOpen({ processId }: TerminalToken): Promise<boolean> {
  if (processId === undefined) {
    return false;
  }
  // Without waiting for terminals whose shell doesn't run.
  const open = await Promise.all(
    vscode.window.terminals.map((terminal) => Promise.race([terminal.processId, undefined])),
  );
  return open.includes(processId) || isRunning(processId);
}

function isRunning(processId: number): boolean {
  try {
    // Sends nothing: only asks whether the process exists.
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
