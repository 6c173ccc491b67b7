/**
 * Runs a job: one question for all its items, then one after another. The next one is sent once the task before it has
 * finished: the cluster has one at a time, and a problem is known before it repeats.
 */
import { type Connection, accessOf } from '../connections/connection.ts';
import { Emitter, disposeAll, type Disposable } from '../platform/events.ts';
import { toServiceFailure } from '../service/failure/failure.ts';
import type { Caution } from './cautions.ts';
import { JobItem } from './jobItem.ts';
import { JobJournal } from './jobStore.ts';
import { isBusy, jobIn, MAX_ITEMS, reduceJobState, type JobEvent, type JobState } from './jobState.ts';
import type { ItemQuestion } from './itemReview.ts';
import type { JobEnvironment } from './jobEnvironment.ts';
import type { Problem } from './problem.ts';
import type { PlanDraft } from './plan.ts';
import type { TruncationRecord } from './sentTruncation.ts';
import { isSentState } from './state.ts';
import { taskTexts } from './texts/taskTexts.ts';

/** The question before anything of a job is sent. */
export interface JobQuestion {
  readonly connection: Connection;
  /** In the order of sending. */
  readonly items: readonly ItemQuestion[];
  /** The user's. */
  readonly timeZone: string;
  /** No other server can be meant. */
  readonly isOnlyConnection: boolean;
}

/** Shows the question. @param heldBack Why it is asked again, if so. @returns false or rejects: nothing is deleted. */
type AskUser = (question: JobQuestion, heldBack: Problem | undefined) => Promise<boolean>;

/** An item to count. */
interface ItemDraft {
  readonly draft: PlanDraft;
  readonly isSelected?: boolean;
}

const MOST_DRY_RUNS = 2;
/** The gate may hold back what the user can agree to again. */
const MOST_QUESTIONS = 2;

export class JobRun implements Disposable {
  readonly connectionId: string;
  readonly #environment: JobEnvironment;
  readonly #changed = new Emitter<void>();
  readonly #subscriptions: readonly Disposable[];
  #state: JobState;
  #items: readonly JobItem[] = [];
  #dryRuns = new AbortController();
  #disposed = false;
  /** The user's time zone; the host may run in another. */
  timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  /** Fires also when other truncations or connections change. */
  readonly onDidChange = this.#changed.event;

  /** The wizard's job, once connections and jobs are loaded. @param from A draft, or a truncation to show. */
  static ofOne(environment: JobEnvironment, connectionId: string, from: PlanDraft | TruncationRecord): JobRun {
    const run = new JobRun(environment, connectionId, jobIn('plan' in from ? 'ended' : 'planned', 'wizard'));
    run.#items = [run.#newItem(from)];
    return run;
  }

  /** The overview's job, before indices are chosen. */
  static ofMany(environment: JobEnvironment, connectionId: string): JobRun {
    return new JobRun(environment, connectionId, jobIn('choosing', 'overview'));
  }

  private constructor(environment: JobEnvironment, connectionId: string, state: JobState) {
    this.#environment = environment;
    this.connectionId = connectionId;
    this.#state = state;
    this.#subscriptions = [
      environment.watch.onDidChange(() => this.#follow()),
      environment.store.onDidChange(() => this.#changed.fire()),
      environment.jobs.onDidChange(() => this.#follow()),
    ];
  }

  get state(): JobState {
    return this.#state;
  }

  get items(): readonly JobItem[] {
    return this.#items;
  }

  /** Items whose rows are deleted after a yes, or that were confirmed. */
  get plannedItems(): readonly JobItem[] {
    const { confirmed } = this.#state;
    return confirmed === undefined
      ? this.#items.filter(({ isInPlan }) => isInPlan)
      : confirmed.flatMap((place) => this.#items[place] ?? []);
  }

  /** True if a truncation belongs to the items that are shown. */
  has(record: string): boolean {
    return this.#items.some((item) => item.record?.id === record);
  }

  /** Makes the dry runs of the overview, two at a time. Discards earlier ones. */
  async countAll(drafts: readonly ItemDraft[]): Promise<void> {
    if (this.#disposed || drafts.length > MAX_ITEMS || isBusy(this.#state)) {
      return;
    }
    this.#replaceItems(drafts.map(({ draft, isSelected }) => this.#newItem(draft, isSelected)));
    this.#dispatch({ type: 'countingBegan' });
    const stop = (this.#dryRuns = new AbortController());
    try {
      await Promise.all([this.#environment.store.load(), this.#environment.jobs.load()]);
      const left = [...this.#items];
      const countNext = async (): Promise<void> => {
        for (let next = left.shift(); next !== undefined && !stop.signal.aborted; next = left.shift()) {
          await next.dryRun();
        }
      };
      await Promise.all(Array.from({ length: MOST_DRY_RUNS }, countNext));
    } finally {
      this.#dispatch({ type: 'countingEnded' });
    }
  }

  /** Repeats the dry runs of the items that are selected and not sent yet. */
  async countAgain(): Promise<void> {
    const drafts = this.#items.flatMap(({ isSelected, status, state: { draft } }) => {
      const isShown = status === 'notSent' && (isSelected || this.#state.phase === 'planned');
      return isShown ? [{ draft, isSelected }] : [];
    });
    await (drafts.length === 0 ? this.startOver() : this.countAll(drafts));
  }

  /** Keeps the dry runs that have ended. */
  cancel(): void {
    if (this.#state.phase === 'dryRunning') {
      this.#dryRuns.abort();
      this.#items.forEach((item) => item.cancel());
    }
  }

  /**
   * Ticks an item, which accepts what the user saw, or takes that back.
   * @param at Time of the dry run that the user saw: a tick of another one comes too late.
   */
  tick(place: number, isTicked: boolean, at: number, acceptedCautions: readonly Caution['kind'][]): void {
    const item = this.#items[place];
    const isShown = this.#state.phase === 'planned' && item?.state.phase === 'reviewed' && item.state.review.at === at;
    if (!this.#disposed && isShown) {
      item.isSelected = isTicked;
      item.edit({ ...item.state.draft, acceptedCautions: isTicked ? acceptedCautions : [] });
      this.#changed.fire();
    }
  }

  /** Returns to choosing, or in the wizard to another truncation with this draft. What was sent keeps running. */
  startOver(draft?: PlanDraft): void {
    const mayStart = draft === undefined ? !isBusy(this.#state) : this.#items.every(({ state }) => isSentState(state));
    if (!this.#disposed && mayStart) {
      this.#replaceItems(draft === undefined ? [] : [this.#newItem(draft)]);
      this.#dispatch({ type: 'startedOver' });
    }
  }

  /** Sends nothing more, not even what is being counted again. What runs on the server keeps running. */
  stop(): void {
    this.#dispatch({ type: 'stopped' });
  }

  /** Executes what was reviewed, from the check to the last request. */
  async execute(ask: AskUser): Promise<void> {
    let heldBack: Problem | undefined;
    for (let asked = 0; asked < MOST_QUESTIONS; asked++) {
      const question = await this.#check();
      const isYes = question !== undefined && (await ask(question, heldBack).catch(() => false));
      if (question === undefined || !this.#answer(question, isYes)) {
        return;
      }
      heldBack = await this.#send(question);
      // Of several, the others may be sent by now, and the overview says what wasn't.
      if (heldBack === undefined || this.#state.origin === 'overview') {
        return;
      }
      if (this.#disposed) {
        this.#environment.host.notifyPageClosed(heldBack, question.connection.name);
        return;
      }
    }
  }

  /** Sends nothing more: the page is closed. */
  dispose(): void {
    this.#disposed = true;
    this.#dryRuns.abort();
    disposeAll(this.#subscriptions);
    this.#items.forEach((item) => item.dispose());
    // Who waits for a task.
    this.#changed.fire();
    this.#changed.dispose();
  }

  /** Checks all items. If one may not be sent, the user sees why before any question. */
  async #check(): Promise<JobQuestion | undefined> {
    const connection = this.#connection;
    const plan = this.plannedItems;
    const places = plan.map((item) => this.#items.indexOf(item));
    if (connection === undefined || !this.#dispatch({ type: 'checking', places })) {
      return undefined;
    }
    const questions = await Promise.all(plan.map((item) => item.check()));
    const items = questions.filter((one) => one !== undefined);
    if (items.length < plan.length) {
      plan.forEach((item, place) => questions[place] && item.answer(questions[place], false));
      // The question may have been withdrawn meanwhile, and another one asked.
      if (this.#state.confirmed === places) {
        this.#dispatch({ type: 'declined' });
      }
      return undefined;
    }
    const { store } = this.#environment;
    const isOnlyConnection = store.all().length + store.unreadable().length === 1;
    return { connection, items, timeZone: this.timeZone, isOnlyConnection };
  }

  /** @returns whether to send. False if the answer is no, or comes too late. */
  #answer({ connection, items }: JobQuestion, isYes: boolean): boolean {
    if (isYes && this.#disposed && this.#state.origin === 'wizard') {
      this.#environment.host.notifyPageClosed(taskTexts.pageClosed(), connection.name);
    }
    const isAgreed = isYes && !this.#disposed;
    // Each checks again that its dry run is recent and the connection unchanged.
    const plan = this.plannedItems;
    const answers = items.map((question, place) => plan[place]?.answer(question, isAgreed) === true);
    return answers.some(Boolean) && this.#dispatch({ type: 'confirmed' });
  }

  /** @returns why the job or the gate held back the last one, if so. */
  async #send(question: JobQuestion): Promise<Problem | undefined> {
    const { connection, items } = question;
    const { jobs } = this.#environment;
    const { origin, confirmed } = this.#state;
    const planned = {
      kind: 'planned',
      at: this.#now,
      baseUrl: connection.baseUrl,
      items: items.map(({ review }) => ({ plan: review.plan })),
    } as const;
    const journal = new JobJournal(jobs, this.connectionId, planned, () => this.#now);
    const plan = this.plannedItems;
    let heldBack: Problem | undefined;
    try {
      // If one may not be sent, none is.
      const mayBegin = plan.every(({ state }) => state.phase === 'executing');
      for (const [place, one] of mayBegin ? items.entries() : []) {
        const item = plan[place];
        // An item whose connection changed is no longer executing, and is not even counted again.
        if (item === undefined || this.#obstacle !== undefined || item.state.phase !== 'executing') {
          break;
        }
        item.turn = 'now';
        this.#changed.fire();
        heldBack = await item.send(one, { connection, journal, item: place, obstacle: () => this.#obstacle });
        if (origin === 'overview') {
          await this.#taskEnded(item, accessOf(connection));
        }
        if (item.status !== 'finished') {
          break;
        }
      }
    } finally {
      await this.#conclude(journal).catch((thrown: unknown) => this.#environment.log.failure(toServiceFailure(thrown)));
      // In the wizard, another truncation may be planned by now.
      if (this.#state.confirmed === confirmed) {
        plan.filter(({ state }) => state.phase === 'executing').forEach((item) => (item.turn = 'never'));
        this.#dispatch({ type: 'concluded', isSent: plan.some(({ state }) => isSentState(state)) });
      }
    }
    return heldBack;
  }

  /** Removing the connection, here or in another window, has deleted what was stored before. */
  async #conclude(journal: JobJournal): Promise<void> {
    const { store, jobs } = this.#environment;
    await journal.conclude();
    const connection = await store.getFresh(this.connectionId).catch(() => this.#connection);
    if (connection === undefined && !store.unreadable().includes(this.connectionId)) {
      await jobs.remove(journal.ref);
    }
  }

  /** Waits until the task of an item has ended. Gives up once the connection changes, or nothing more may be sent. */
  async #taskEnded(item: JobItem, access: string): Promise<void> {
    const { jobs, watch } = this.#environment;
    const id = item.record?.id;
    if (id === undefined || item.state.phase !== 'running') {
      return;
    }
    const watching = watch.keepWatching(id);
    const isOver = (): boolean =>
      item.state.phase !== 'running' ||
      this.#obstacle !== undefined ||
      this.#connection === undefined ||
      accessOf(this.#connection) !== access ||
      jobs.get(this.connectionId, id) === undefined;
    if (!isOver()) {
      await new Promise<void>((resolve) => {
        const subscription = this.#changed.event(() => {
          if (isOver()) {
            subscription.dispose();
            resolve();
          }
        });
      });
    }
    watching.dispose();
  }

  #replaceItems(items: readonly JobItem[]): void {
    this.#items.forEach((item) => item.dispose());
    this.#items = items;
  }

  #newItem(from: PlanDraft | TruncationRecord, isSelected = true): JobItem {
    const changed = (): void => this.#itemChanged();
    return new JobItem(this.#state.origin, isSelected, this.#environment, this.connectionId, from, changed);
  }

  /** An edit, or a change of the connection, withdraws a question: another one may be asked. */
  #itemChanged(): void {
    const isWithdrawn = !this.plannedItems.some(({ isAsked }) => isAsked);
    if (!(isWithdrawn && this.#dispatch({ type: 'declined' })) && !this.#disposed) {
      this.#changed.fire();
    }
  }

  /** Why nothing more may be sent, if so. */
  get #obstacle(): Problem | undefined {
    if (this.#state.isStopping) {
      return taskTexts.stopped();
    }
    return this.#disposed ? taskTexts.pageClosed() : undefined;
  }

  get #now(): number {
    return this.#environment.services.network.clock.now();
  }

  /** As it is stored now. Undefined if it was removed. */
  get #connection(): Connection | undefined {
    return this.#environment.store.get(this.connectionId);
  }

  /** Takes over what is stored of its truncations. */
  #follow(): void {
    for (const item of this.#items) {
      const stored = item.record && this.#environment.jobs.get(this.connectionId, item.record.id);
      if (stored !== undefined) {
        item.follow(stored);
      }
    }
    this.#changed.fire();
  }

  /** @returns whether the event changed the state. */
  #dispatch(event: JobEvent): boolean {
    const state = reduceJobState(this.#state, event);
    const hasChanged = state !== this.#state;
    if (hasChanged) {
      this.#state = state;
      if (!this.#disposed) {
        this.#changed.fire();
      }
    }
    return hasChanged;
  }
}
