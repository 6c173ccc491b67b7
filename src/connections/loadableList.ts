/** A list from a server, loaded when first shown, and the lists of all connections. */
import * as l10n from '@vscode/l10n';
import { disposeAll, Emitter, type Disposable } from '../platform/events.ts';
import { toServiceFailure, type ServiceFailure } from '../service/failure/failure.ts';
import { identityOf, type Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { CredentialStore } from './credentialStore.ts';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';

/**
 * Only the newest load counts, and aborts the one before. The former listing stays during a load and after a
 * failure. Loads never throw. Their failure is kept.
 *
 * @template Listing The whole answer of the server.
 */
export abstract class LoadableList<Listing> {
  /** To be called after each change of what there is to show. */
  protected readonly changed: () => void;
  readonly #now: () => number;
  #loadedAt: number | undefined;
  #listing: Listing | undefined;
  #failure: ServiceFailure | undefined;
  #loading: { readonly done: Promise<void>; readonly stop: AbortController } | undefined;

  /**
   * @param changed Called after each change of what there is to show.
   * @param now Unix time in ms.
   */
  constructor(changed: () => void, now: () => number = Date.now) {
    this.changed = changed;
    this.#now = now;
  }

  /** Time of the shown listing: Unix time in ms. */
  get loadedAt(): number | undefined {
    return this.isLoaded ? this.#loadedAt : undefined;
  }

  /** The failure of the last load, if it failed. */
  get failure(): ServiceFailure | undefined {
    return this.#failure;
  }

  get isLoading(): boolean {
    return this.#loading !== undefined;
  }

  get isLoaded(): boolean {
    return this.#listing !== undefined;
  }

  /** True once anything was loaded, or tried. */
  get wasAsked(): boolean {
    return this.isLoading || this.#hasAnswer;
  }

  /** Loads unless loaded, and waits until nothing is loading. */
  async ensureLoaded(): Promise<void> {
    if (!this.isLoading && !this.#hasAnswer) {
      await this.refresh();
    }
    // A newer load may replace the awaited one.
    while (this.#loading !== undefined) {
      await this.#loading.done;
    }
  }

  /** Waits for a listing or a failure to show. */
  async ensureShown(): Promise<void> {
    if (!this.#hasAnswer) {
      await this.ensureLoaded();
    }
  }

  /** Waits as `ensureLoaded` does, and tries a failed load again. */
  async ensureTried(): Promise<void> {
    if (this.#failure !== undefined) {
      await this.refresh();
    }
    await this.ensureLoaded();
  }

  async refresh(): Promise<void> {
    await this.loadListing((signal) => this.readListing(signal));
  }

  /** Aborts the current load. */
  abortLoading(): void {
    this.#loading?.stop.abort();
  }

  protected get listing(): Listing | undefined {
    return this.#listing;
  }

  /** Loads the listing from its beginning. */
  protected abstract readListing(signal: AbortSignal): Promise<Listing>;

  protected async loadListing(read: (signal: AbortSignal) => Promise<Listing>): Promise<void> {
    this.#loading?.stop.abort();
    const stop = new AbortController();
    const mine = { done: this.#keepOutcome(read, stop.signal), stop };
    this.#loading = mine;
    await mine.done;
    if (this.#loading === mine) {
      this.#loading = undefined;
      this.changed();
    }
  }

  /** Drops the listing, since the question has changed. */
  protected clearListing(): void {
    this.#listing = undefined;
    this.#failure = undefined;
    this.changed();
  }

  get #hasAnswer(): boolean {
    return this.#listing !== undefined || this.#failure !== undefined;
  }

  async #keepOutcome(read: (signal: AbortSignal) => Promise<Listing>, signal: AbortSignal): Promise<void> {
    try {
      const listing = await read(signal);
      if (!signal.aborted) {
        this.#listing = listing;
        this.#loadedAt = this.#now();
        this.#failure = undefined;
      }
    } catch (thrown) {
      const failure = toServiceFailure(thrown);
      if (!signal.aborted && failure.kind !== 'cancelled') {
        this.#failure = failure;
      }
    }
  }
}

/** Lists by connection: created on first use, dropped when the connection has another session or is removed. */
export abstract class ConnectionLists<List extends LoadableList<unknown>> implements Disposable {
  readonly #lists = new Map<string, List>();
  readonly #changed = new Emitter<string>();
  protected readonly subscriptions: Disposable[];
  /** Fires the ID of a connection whose list changed. */
  readonly onDidChange = this.#changed.event;

  constructor(store: ConnectionStore, credentials: CredentialStore) {
    const drop = (id: string): void => this.#drop(id);
    this.subscriptions = [credentials.onDidChange(drop), onConnectionsChanged(store, identityOf, drop)];
  }

  get(connectionId: string): List {
    const list = this.#lists.get(connectionId) ?? this.createList(connectionId);
    this.#lists.set(connectionId, list);
    return list;
  }

  dispose(): void {
    disposeAll(this.subscriptions);
    for (const list of this.#lists.values()) {
      list.abortLoading();
    }
    this.#changed.dispose();
  }

  protected abstract createList(connectionId: string): List;

  protected get lists(): ReadonlyMap<string, List> {
    return this.#lists;
  }

  protected announce(connectionId: string): void {
    this.#changed.fire(connectionId);
  }

  #drop(connectionId: string): void {
    this.#lists.get(connectionId)?.abortLoading();
    if (this.#lists.delete(connectionId)) {
      this.announce(connectionId);
    }
  }
}

/** Calls `drop` for connections with another key, or removed. */
export function onConnectionsChanged(
  store: ConnectionStore,
  keyOf: (connection: Connection) => string,
  drop: (connectionId: string) => void,
): Disposable {
  const keys = (): Map<string, string> => new Map(store.all().map((connection) => [connection.id, keyOf(connection)]));
  let seen = keys();
  return store.onDidChange(() => {
    const before = seen;
    seen = keys();
    for (const [id, key] of before) {
      if (seen.get(id) !== key) {
        drop(id);
      }
    }
  });
}

/**
 * Returns the current list once it has rows. Existing rows are returned while newer ones load, since VS Code
 * ignores clicks on rows that it waits for. Retries if the list was dropped: it has another credential's rows.
 * @param current Returns the list in use at that moment.
 */
export async function currentList<List extends LoadableList<unknown>>(current: () => List): Promise<List> {
  for (;;) {
    const list = current();
    await list.ensureShown();
    if (list === current()) {
      return list;
    }
  }
}

/** Age of rows that couldn't be reloaded: "as of 2:05 PM". Empty for fresh rows. */
export function listAgeText({ failure, loadedAt }: LoadableList<unknown>, now = Date.now()): string {
  return failure === undefined || loadedAt === undefined
    ? ''
    : l10n.t('as of {0}', formatsOf(language()).moment(loadedAt, now));
}
