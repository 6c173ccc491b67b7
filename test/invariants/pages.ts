/** The extension's pages, without the browser that draws them. */
import assert from 'node:assert/strict';
import { indexNameKey } from '../../src/indices/indexName.ts';
import type { HostMessage } from '../../src/pages/kit/protocol.ts';
import type { OverviewPageView } from '../../src/pages/overview/protocol.ts';
import type { TruncationPageView } from '../../src/pages/truncation/protocol.ts';
import { emptyDraft, type PlanDraft } from '../../src/truncation/plan.ts';
import type { Driver } from './driver.ts';
import { DAY } from './durations.ts';
import type { Panel } from './editor/vscode.ts';
import { OPERATIONS, PROFILES, type Target } from './truncations.ts';

/** What a page shows. Undefined before it shows anything. */
export function viewOn({ received }: Panel): object | undefined {
  return (received as readonly unknown[] as readonly HostMessage<object>[]).at(-1)?.view;
}

/** A page, as its user drives it. */
export abstract class Page<View extends object> {
  readonly panel: Panel;
  protected readonly driver: Driver;

  constructor(driver: Driver, panel: Panel) {
    this.driver = driver;
    this.panel = panel;
  }

  abstract get phase(): string | undefined;

  /** Fills in what is to be deleted, and counts the rows. */
  abstract dryRun(): Promise<void>;

  /** Delivers a message as if the page had sent it. */
  async send(message: unknown): Promise<void> {
    this.panel.send(message);
    await this.driver.rests();
  }

  /** Presses the button that deletes. */
  pressDelete(): Promise<void> {
    return this.send({ type: 'execute' });
  }

  /** Waits for one of these phases. */
  async reaches(...phases: readonly string[]): Promise<void> {
    await this.driver.until(
      () => `${phases.join(' or ')} (shown: ${JSON.stringify(this.view)})`,
      () => phases.includes(this.phase ?? ''),
    );
  }

  protected get view(): Partial<View> {
    return (viewOn(this.panel) ?? {}) as Partial<View>;
  }
}

/** The page that truncates one index. */
export class Wizard extends Page<TruncationPageView> {
  #draft: PlanDraft | undefined;

  get phase(): string | undefined {
    return this.view.phase;
  }

  /** State that VS Code keeps of the page. */
  get state(): unknown {
    return { draft: this.#draft, restore: this.view.restore };
  }

  /** What the page says about the truncation. */
  get outcome(): string {
    const { outcome, failure } = this.view;
    const { headline, next, pace, lastCheck, details = [] } = outcome ?? {};
    const facts = details.flatMap(({ value, quoted }) => [value, quoted]);
    return [headline, next, pace, lastCheck, ...facts, failure?.sentence, failure?.next].filter(Boolean).join('\n');
  }

  /** Fills in what is to be deleted, and starts its dry run. */
  async startDryRun(days: number, change: Partial<PlanDraft> = {}): Promise<void> {
    const { draft: shown = assert.fail('the page shows no form') } = this.view;
    this.#draft = {
      ...emptyDraft(shown.entityType, shown.aspect),
      endTimeMillis: this.driver.machine.time.now() - days * DAY,
      strategy: 'deleteByQuery',
      ...change,
    };
    await this.send({ type: 'dryRun', draft: this.#draft });
  }

  async dryRun(change: Partial<PlanDraft> = {}): Promise<void> {
    await this.startDryRun(365, change);
    await this.reaches('reviewed');
  }

  /** Ticks all boxes of the review. */
  async acceptCautions(): Promise<void> {
    const { report, cautions = [] } = this.view;
    for (const { kind } of cautions) {
      await this.send({ type: 'tick', caution: kind, isTicked: true, at: report?.at });
    }
  }
}

/** The page that shows all indices, and truncates several. */
export class Overview extends Page<OverviewPageView> {
  get phase(): string | undefined {
    return this.view.job?.phase;
  }

  /** Name of a listed index in the page's messages. */
  async idOf(target: Target): Promise<string> {
    const rows = await this.driver.until('the indices', () => this.view.rows?.length !== 0 && this.view.rows);
    // The page spells it as the registry does.
    const row = rows.find(
      ({ entityType = '', aspect = '' }) => indexNameKey({ entityType, aspect }) === indexNameKey(target),
    );
    return row?.id ?? assert.fail(`${indexNameKey(target)} is not listed`);
  }

  async dryRun(): Promise<void> {
    const ids = await Promise.all([OPERATIONS, PROFILES].map((target) => this.idOf(target)));
    await this.send({ type: 'dryRun', ids, days: 365 });
    await this.reaches('planned');
  }
}
