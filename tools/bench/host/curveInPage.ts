import type { FrameLocator, Page } from 'playwright-core';
import { runCommand } from '../../../test/e2e/harness/quickInput.ts';
import { expandRow } from '../../../test/e2e/harness/tree.ts';
import { webviewPage } from '../../../test/e2e/harness/webview.ts';
import { openWizard } from '../../../test/e2e/steps/wizard.ts';
import type { RunningService } from '../../../test/service/main.ts';
import { largeIndex } from '../../../test/service/sampleRows.ts';
import { openViewContainer } from '../../../test/e2e/harness/workbench.ts';
import { ROWS, bareDryRuns } from '../curve.ts';
import { median, spread } from '../figures.ts';
import { product } from '../product.ts';
import type { BenchFigure } from '../table.ts';
import { pageSize } from './sizes.ts';
import { openBenchStage } from './stage.ts';

const ROUNDS = 7;

/** Times of one curve in the page, in ms from the press. Gaps lie between two frames that it could draw. */
interface DrawnCurve {
  readonly idleGapMs: number;
  readonly gapMs: number;
  readonly frames: number;
  readonly longestTaskMs: number;
  readonly firstBarMs: number;
  readonly wholeMs: number;
}

interface Round extends DrawnCurve {
  readonly dryRuns: number;
  readonly bareFirstMs: number;
  readonly bareWholeMs: number;
}

/** Measures rows by age of a large index in the page, beside the idle page and bare dry runs, and the size of pages. */
export async function curveInPage(): Promise<BenchFigure[]> {
  const stage = await openBenchStage({ rows: 10_000, largeIndexRows: ROWS });
  try {
    return await stage.inColdWindow(async ({ page }) => {
      await openViewContainer(page, product.containerTitle);
      await expandRow(page, 'Time series indices');
      const wizard = await openWizard(page, new RegExp(`^${largeIndex.entity}, ${largeIndex.aspect},`));
      await wizard.getByRole('button', { name: 'Count Again' }).waitFor();
      const rounds: Round[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await oneRound(stage.service, wizard));
      // The first run fills caches.
      return [
        ...curveFigures(rounds.slice(1)),
        { what: "bytes of the wizard's page", figure: pageSize(stage.product, await resources(page)) },
        { what: "bytes of the overview's page", figure: pageSize(stage.product, await overviewResources(page)) },
      ];
    });
  } finally {
    await stage.close();
  }
}

async function oneRound(service: RunningService, wizard: FrameLocator): Promise<Round> {
  service.clearRequests();
  const drawn = await wizard.getByRole('button', { name: 'Count Again' }).evaluate(drawCurve);
  const cutoffs = service.requests
    .filter(({ path }) => path.includes('truncateTimeseriesAspect'))
    .map(({ body }) => (JSON.parse(body) as { endTimeMillis: number }).endTimeMillis);
  const { firstMs, wholeMs } = await bareDryRuns(service, cutoffs);
  return { ...drawn, dryRuns: cutoffs.length, bareFirstMs: firstMs, bareWholeMs: wholeMs };
}

function curveFigures(rounds: readonly Round[]): BenchFigure[] {
  const of = (value: (one: Round) => number): string => spread(rounds.map(value), 2);
  return [
    {
      what: `rows by age of ${ROWS} rows in the page: dry runs`,
      figure: String(Math.max(...rounds.map((one) => one.dryRuns))),
    },
    {
      what: '… from the press to the first bar ÷ one bare dry run',
      figure: of((one) => one.firstBarMs / one.bareFirstMs),
    },
    {
      what: '… from the press to the whole curve ÷ the same bare dry runs',
      figure: of((one) => one.wholeMs / one.bareWholeMs),
    },
    { what: '… from the press to the first bar, ms', figure: of((one) => one.firstBarMs) },
    { what: '… from the press to the whole curve, ms', figure: of((one) => one.wholeMs) },
    {
      what: 'longest pause between two frames while it is drawn ÷ that of the idle page before',
      figure: of((one) => one.gapMs / one.idleGapMs),
    },
    { what: '… while it is drawn, ms', figure: of((one) => one.gapMs) },
    { what: '… of the idle page, ms', figure: of((one) => one.idleGapMs) },
    {
      what: 'frames a second while it is drawn',
      figure: median(rounds.map((one) => (one.frames * 1_000) / one.wholeMs)).toFixed(0),
    },
    {
      what: "longest task of the page's thread while it is drawn, ms; 0: none over 50",
      figure: Math.max(...rounds.map((one) => one.longestTaskMs)).toFixed(0),
    },
  ];
}

/**
 * Runs in the page: presses the button and looks at every frame until the curve is complete, after as long an idle
 * time.
 */
async function drawCurve(button: HTMLElement | SVGElement): Promise<DrawnCurve> {
  const idleMs = 2_000;
  const watchFrames = async (isOver: () => boolean): Promise<readonly number[]> => {
    const frames = [performance.now()];
    while (!isOver()) {
      await new Promise(requestAnimationFrame);
      frames.push(performance.now());
    }
    return frames;
  };
  const longestGap = (frames: readonly number[]): number =>
    Math.max(...frames.slice(1).map((at, index) => at - (frames[index] ?? at)));
  const idleEnd = performance.now() + idleMs;
  const idle = await watchFrames(() => performance.now() >= idleEnd);

  let longestTaskMs = 0;
  const tasks = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
  });
  tasks.observe({ type: 'longtask' });
  let firstBar: number | undefined;
  let whole: number | undefined;
  let isLoading = false;
  const look = (): void => {
    const progress = document.querySelector('.ages vscode-progress-bar');
    isLoading ||= progress !== null;
    if (isLoading && document.querySelector('.plot > svg > rect') !== null) firstBar ??= performance.now();
    if (isLoading && progress === null) whole ??= performance.now();
  };
  const changes = new MutationObserver(look);
  changes.observe(document.body, { subtree: true, childList: true, attributes: true });
  const pressed = performance.now();
  (button as HTMLElement).click();
  const drawn = await watchFrames(() => whole !== undefined);
  changes.disconnect();
  tasks.disconnect();
  return {
    idleGapMs: longestGap(idle),
    gapMs: longestGap(drawn),
    frames: drawn.length - 1,
    longestTaskMs,
    firstBarMs: (firstBar ?? Number.NaN) - pressed,
    wholeMs: (whole ?? Number.NaN) - pressed,
  };
}

async function overviewResources(page: Page): Promise<readonly string[]> {
  await runCommand(page, 'View: Close All Editors');
  await runCommand(page, 'DataHub: Time Series Indices');
  await webviewPage(page).getByRole('heading', { level: 1, name: 'Time series indices' }).waitFor();
  return resources(page);
}

/** Addresses that the visible page has requested. */
function resources(page: Page): Promise<readonly string[]> {
  return webviewPage(page)
    .locator('html')
    .evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
}
