/** The extension's pages, without the browser that draws them. */
import assert from 'node:assert/strict';
import { viewAfter, type HostMessage } from '../../src/pages/kit/protocol.ts';
import { emptyDraft, type PlanDraft } from '../../src/truncation/plan.ts';
import type { OverviewPageView } from '../../src/pages/overview/protocol.ts';
import type { TruncationPageView } from '../../src/pages/truncation/protocol.ts';
import type { Driver } from './driver.ts';
import { DAY } from './durations.ts';
import type { OpenPanel } from './editor/host.ts';
import { ASKED } from './questions.ts';
import type { Target } from './truncations.ts';
import type { Window } from './window.ts';

type View = Readonly<Record<string, unknown>>;

/** What a page shows. */
export function viewOn({ received }: OpenPanel): View {
  const shown = (received as readonly unknown[] as readonly HostMessage<View>[]).reduce<View | undefined>(
    viewAfter,
    undefined,
  );
  return shown ?? {};
}

/** A page of the extension, without the browser that draws it. */
class Page {
  readonly panel: OpenPanel;
  protected readonly driver: Driver;
  protected readonly window: Window;

  constructor(driver: Driver, window: Window, panel: OpenPanel) {
    this.driver = driver;
    this.window = window;
    this.panel = panel;
  }

  /** What the page shows. */
  get view(): View {
    return viewOn(this.panel);
  }

  /** Delivers a message as if the page had sent it. */
  async send(message: unknown): Promise<void> {
    this.panel.send(message);
    await this.driver.rests();
  }

  close(): void {
    this.panel.close();
  }
}

/** The page that truncates one index. */
export class Wizard extends Page {
  get phase(): string {
    return String(this.view['phase']);
  }

  /** State that VS Code keeps of the page. */
  get state(): unknown {
    return { draft: this.draft, restore: this.view['restore'] };
  }

  /** What the page says about the truncation. */
  get outcome(): string {
    const { outcome, failure } = this.view as unknown as TruncationPageView;
    const { headline, next, pace, lastCheck, details = [] } = outcome ?? {};
    const facts = details.flatMap(({ value, quoted }) => [value, quoted]);
    return [headline, next, pace, lastCheck, ...facts, failure?.sentence, failure?.next].filter(Boolean).join('\n');
  }

  draft: PlanDraft | undefined;

  async fill(days: number, change: Partial<PlanDraft> = {}): Promise<void> {
    const { draft: shown, draftRevision: revision } = this.view as unknown as TruncationPageView;
    this.draft = {
      ...emptyDraft(shown.entityType, shown.aspect),
      endTimeMillis: this.driver.machine.time.now() - days * DAY,
      strategy: 'deleteByQuery',
      ...change,
    };
    await this.send({ type: 'edit', draft: this.draft, revision });
  }

  /** Presses the button that counts the rows. */
  async pressDryRun(): Promise<void> {
    await this.send({ type: 'dryRun' });
  }

  /** Counts the rows that are older, until the counts are shown. */
  async dryRun(days = 365, change: Partial<PlanDraft> = {}): Promise<void> {
    await this.fill(days, change);
    await this.pressDryRun();
    await this.driver.until(
      () => `a report (shown: ${JSON.stringify(this.view)})`,
      () => this.phase === 'reviewed',
    );
  }

  /** Ticks all boxes of the review. */
  async acceptCautions(): Promise<void> {
    const { report, cautions } = this.view as {
      readonly report: { readonly at: number };
      readonly cautions: readonly { readonly kind: string }[];
    };
    for (const { kind } of cautions) {
      await this.send({ type: 'tick', caution: kind, isTicked: true, at: report.at });
    }
  }

  /** Presses the button that deletes. */
  async pressDelete(): Promise<void> {
    await this.send({ type: 'execute' });
  }

  /** Presses the button that deletes, and comes to the last question. */
  async ask(): Promise<void> {
    await this.pressDelete();
    await this.window.toLastQuestion(ASKED.deletion);
  }

  /** Asks for the task, and counts the rows, once more. */
  async pressCheck(): Promise<void> {
    await this.send({ type: 'checkTask' });
  }

  /** Starts another truncation of the same index once this one was sent. */
  async startOver(): Promise<void> {
    await this.send({ type: 'startOver' });
  }

  /** Waits until nothing is being asked or sent. */
  async settles(): Promise<void> {
    await this.driver.until(
      () => `the end of ${this.phase}`,
      () => !['dryRunning', 'confirming', 'executing'].includes(this.phase),
    );
  }
}

/** The page that shows all indices, and truncates several. */
export class Overview extends Page {
  get job(): View {
    return this.view['job'] as View;
  }

  get phase(): string {
    return String(this.job['phase']);
  }

  /** The page's text about unsent indices of earlier jobs. */
  get unsent(): readonly string[] {
    const interrupted = (this.job['interrupted'] ?? []) as readonly { readonly left: string }[];
    return interrupted.map(({ left }) => left);
  }

  /** Name of a listed index in the page's messages. */
  async idOf({ entityType, aspect }: Target): Promise<string> {
    const rows = await this.driver.until('the indices', () => {
      const { rows: shown = [] } = this.view as unknown as Partial<OverviewPageView>;
      return shown.length > 0 && shown;
    });
    const row = rows.find((one) => one.entityType === entityType && one.aspect === aspect);
    return row?.id ?? assert.fail(`${entityType}/${aspect} is not listed`);
  }

  async dryRun(targets: readonly Target[], days = 365): Promise<void> {
    const ids = await Promise.all(targets.map((target) => this.idOf(target)));
    await this.send({ type: 'dryRun', ids, days });
    await this.driver.until(
      () => `a plan (shown: ${JSON.stringify(this.job)})`,
      () => this.phase === 'planned',
    );
  }

  /** Presses the button that deletes. */
  async pressDelete(): Promise<void> {
    await this.send({ type: 'execute' });
  }
}
