/** A connection in the tree. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Connection, isSignedIn } from '../connections/connection.ts';
import { credentialWarning, mayRotate, type CredentialWarning } from '../connections/credentialLife.ts';
import { nameWithRole, roleWord } from '../connections/role.ts';
import type { IndexLists } from '../indices/indexLists.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { RowTooltip } from '../ui/tooltip.ts';
import type { TaskWatch } from '../truncation/watching/watch.ts';
import type { JobStore } from '../truncation/jobStore.ts';
import type { LoadableList } from '../connections/loadableList.ts';
import { IndexGroupNode } from './indexNodes.ts';
import { ListFailureNode } from './failureNode.ts';
import { coloredIcon, type ExplorerNode } from './node.ts';
import { type TokenNodesParts, TokenGroupNode } from './tokenNodes.ts';
import { TruncationGroupNode } from './truncationNodes.ts';

export interface ConnectionNodeParts extends TokenNodesParts {
  readonly indexLists: IndexLists;
  readonly jobs: JobStore;
  readonly watch: TaskWatch;
}

export class ConnectionNode implements ExplorerNode {
  readonly parent = undefined;
  readonly connectionId: string;
  readonly tokens: TokenGroupNode;
  readonly indices: IndexGroupNode;
  readonly truncations: TruncationGroupNode;
  readonly #parts: ConnectionNodeParts;
  /** The state that the row showed last. */
  #shownState = '';
  connection: Connection;

  constructor(connection: Connection, parts: ConnectionNodeParts) {
    this.connectionId = connection.id;
    this.connection = connection;
    this.#parts = parts;
    this.tokens = new TokenGroupNode(this, parts);
    this.indices = new IndexGroupNode(this, parts.indexLists);
    this.truncations = new TruncationGroupNode(this, parts.jobs, parts.watch);
  }

  /** True if the row shows an outdated problem, or an outdated sign-in. */
  get isStateOutdated(): boolean {
    return this.#state !== this.#shownState;
  }

  item(): vscode.TreeItem {
    const { connection } = this;
    const isInUse = this.#parts.store.inUse()?.id === connection.id;
    this.#shownState = this.#state;
    const warning = this.#credentialWarning;
    const item = new vscode.TreeItem(
      connection.name,
      isInUse ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
    );
    item.id = connection.id;
    const signedOut = this.#isSignedOut ? l10n.t('signed out') : undefined;
    // With the icon of a warning, nothing else marks production.
    const production = connection.role === 'production' ? roleWord(connection) : undefined;
    item.description = signedOut ?? production ?? warning?.short ?? roleWord(connection) ?? '';
    const trouble = this.#trouble?.headline;
    // Screen readers don't read icons, nor hovers.
    const spoken = [connection.name, roleWord(connection), warning?.short ?? signedOut, trouble];
    item.accessibilityInformation = { label: spoken.filter((part) => part !== undefined).join(', ') };
    item.iconPath =
      trouble === undefined && warning === undefined
        ? connectionIcon(connection)
        : coloredIcon('warning', 'list.warningForeground');
    item.contextValue = [
      'connection',
      isSignedIn(connection) ? 'signedIn' : 'signedOut',
      ...(this.#mayRotate ? ['rotatable'] : []),
    ].join(';');
    return item;
  }

  /** Both groups load at once, to show count and size. */
  async children(): Promise<readonly ExplorerNode[]> {
    for (const list of this.#lists) {
      void list.ensureLoaded();
    }
    await this.#parts.jobs.load();
    const { failure } = this;
    return [
      ...(failure === undefined ? [] : [new ListFailureNode(this, failure)]),
      ...this.#shownGroups,
      ...(this.truncations.isEmpty ? [] : [this.truncations]),
    ];
  }

  /**
   * Of two failed lists one failure, shown as one row, unless one of them takes a privilege of its own. Prefers one that
   * takes signing in, which a retry can't mend.
   */
  get failure(): ServiceFailure | undefined {
    const failures = this.#lists.flatMap(({ failure }) => failure ?? []);
    // If no other list is found either, nothing shows that the server has none of indices.
    const isLost = failures[0]?.kind === 'notFound' && this.#parts.indexLists.get(this.connectionId).isUnsupported;
    return failures.length + Number(isLost) < this.#lists.length ||
      failures.some(({ privilege }) => privilege !== undefined)
      ? undefined
      : (failures.find(({ kind }) => kind === 'signedOut') ?? failures[0]);
  }

  /** Loads again what was ever loaded, also by a command. */
  async refresh(): Promise<void> {
    const service = this.#parts.services.get(this.connection);
    if (service.tokens.cannotCreate('own') || service.server.known.rights?.truncate === false) {
      // A privilege may have been granted.
      service.server.forgetCaller();
    }
    const asked = this.#lists.filter(({ wasAsked }) => wasAsked);
    await Promise.all([...asked.map((list) => list.refresh()), this.truncations.refresh()]);
  }

  tooltip(): RowTooltip {
    const { connection } = this;
    const failure = this.#trouble;
    return new RowTooltip()
      .text(failure?.message)
      .text(failure?.next)
      .text(failure === undefined ? this.#credentialWarning?.advice : undefined)
      .heading(nameWithRole(connection))
      .text(connection.baseUrl)
      .text(connection.actorUrn === undefined ? undefined : l10n.t('Acts as {0}', connection.actorUrn))
      .text(connection.baseUrl.startsWith('http://') ? l10n.t('not encrypted') : undefined);
  }

  /** Shown by the icon of the row. Signing out explains itself, so it is no problem. */
  get #trouble(): ServiceFailure | undefined {
    const { failure } = this;
    return this.#isSignedOut && failure?.kind === 'signedOut' ? undefined : failure;
  }

  get #credentialWarning(): CredentialWarning | undefined {
    return this.#isSignedOut ? undefined : credentialWarning(this.connection, Date.now(), this.#mayRotate);
  }

  get #mayRotate(): boolean {
    return mayRotate(this.#parts.services, this.connection);
  }

  /** As far as known without reading secret storage. A server without authentication needs no sign-in. */
  get #isSignedOut(): boolean {
    return !isSignedIn(this.connection) && !this.#lists.some(({ isLoaded }) => isLoaded);
  }

  get #lists(): readonly LoadableList<unknown>[] {
    return [this.#parts.tokenLists, this.#parts.indexLists].map((lists) => lists.get(this.connectionId));
  }

  /** A list that can't load has nothing to show but the failure. */
  get #shownGroups(): readonly (TokenGroupNode | IndexGroupNode)[] {
    const isFailed = this.failure !== undefined;
    return [this.tokens, this.indices].filter((group) => !isFailed || group.hasRows);
  }

  get #state(): string {
    const groups = this.#shownGroups.map((group) => group === this.tokens);
    return JSON.stringify([
      this.failure?.advice,
      this.#credentialWarning?.short,
      this.#isSignedOut,
      this.#mayRotate,
      groups,
    ]);
  }
}

/** Colour marks production; so does the word beside the name, for screen readers. */
function connectionIcon({ role }: Connection): vscode.ThemeIcon {
  return role === 'production'
    ? coloredIcon('server-environment', 'list.warningForeground')
    : new vscode.ThemeIcon(role === 'readOnly' ? 'lock' : 'server-environment');
}

/** One whose file can't be read, so that it isn't silently gone. */
export class UnreadableConnectionNode implements ExplorerNode {
  readonly parent = undefined;
  readonly connectionId: string;

  constructor(connectionId: string) {
    this.connectionId = connectionId;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(l10n.t("Connection can't be read"));
    item.id = this.connectionId;
    item.description = l10n.t('its file is damaged');
    item.iconPath = coloredIcon('error', 'list.errorForeground');
    item.contextValue = 'unreadableConnection';
    return item;
  }

  tooltip(): RowTooltip {
    return new RowTooltip().text(l10n.t('Remove this connection and add it again.'));
  }
}
