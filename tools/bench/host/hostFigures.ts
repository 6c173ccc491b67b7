import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { outFolder } from '../../paths.ts';
import { product } from '../product.ts';
import type { FigureComparison, BenchFigure } from '../table.ts';
import { activation } from './activation.ts';
import { benchExtensionId } from './benchExtensions.ts';
import { inTurns, type Turns } from './coldWindow.ts';
import type { ActivationFigures } from './extensions/task.ts';
import { firstRows, type FirstRows } from './firstRows.ts';
import { codeSizes } from './sizes.ts';
import { openBenchStage, type BenchStage } from './stage.ts';
import { usablePage, type UsablePage } from './usablePage.ts';

export interface HostOptions {
  /** Cold windows of each kind. */
  readonly windows: number;
  readonly profile: boolean;
}

export interface HostFigures {
  readonly about: string;
  readonly comparisons: readonly FigureComparison[];
  readonly sizes: readonly BenchFigure[];
}

type Views = FirstRows & UsablePage;

/** Measures waiting times in VS Code (activation, tree, wizard), each beside an extension that does nothing else. */
export async function hostFigures({ windows, profile }: HostOptions): Promise<HostFigures> {
  const stage = await openBenchStage();
  try {
    const activations = await inTurns(
      windows,
      activationOf(stage, product.id),
      activationOf(stage, benchExtensionId('empty')),
    );
    const views = await inTurns(
      windows,
      viewsOf(stage, product.containerTitle, product.wizardTitle),
      viewsOf(stage, 'Plain', 'Open Panel'),
    );
    assertSameRows(views);
    if (profile) await writeProfiles(stage, windows);
    return {
      about: aboutText(stage, windows),
      comparisons: [...activationComparisons(activations), ...viewComparisons(views)],
      sizes: codeSizes(stage.product, activations.ours[0]?.loaded ?? []),
    };
  } finally {
    await stage.close();
  }
}

function activationOf(stage: BenchStage, id: string): () => Promise<ActivationFigures> {
  return () => stage.inColdWindow((window) => activation(window, { activate: id }));
}

function viewsOf(stage: BenchStage, containerTitle: string, command: string): () => Promise<Views> {
  return () =>
    stage.inColdWindow(async ({ page }) => {
      const rows = await firstRows(page, containerTitle);
      return { ...rows, ...(await usablePage(page, command)) };
    });
}

/** Otherwise the figures would compare different things. */
function assertSameRows({ ours, beside }: Turns<Views>): void {
  const [first, ...others] = [...ours, ...beside].map(({ labels }) => labels.join('\n'));
  if (others.some((labels) => labels !== first))
    throw new Error(
      `Two windows did not show the same rows:\n${first}\n\n${others.find((labels) => labels !== first)}`,
    );
}

async function writeProfiles(stage: BenchStage, windows: number): Promise<void> {
  const folder = join(outFolder, 'bench');
  await mkdir(folder, { recursive: true });
  for (let index = 1; index <= windows; index += 1) {
    await stage.inColdWindow((window) =>
      activation(window, { activate: product.id, profile: join(folder, `activation-${index}.cpuprofile`) }),
    );
  }
}

function aboutText(stage: BenchStage, windows: number): string {
  return (
    `VS Code ${stage.version} in the browser, ${windows} cold windows of each kind, in turns: median (least–most). ` +
    'The wall time of an activation is measured in the extension host, around the call that asks VS Code for it; ' +
    'its parts lie between VS Code’s own marks there. ' +
    'Rows and fields are measured in the window, from the press to what it brings.'
  );
}

function activationComparisons({ ours, beside }: Turns<ActivationFigures>): FigureComparison[] {
  const compare = (
    what: string,
    unit: FigureComparison['unit'],
    value: (one: ActivationFigures) => number,
    aim?: number,
  ): FigureComparison => ({
    what,
    unit,
    ours: ours.map(value),
    beside: beside.map(value),
    ...(aim === undefined ? {} : { aim }),
  });
  const megabytes = (bytes: number): number => bytes / 1e6;
  return [
    compare('activation, beside that of an empty extension', 'ms', ({ wallMs }) => wallMs, 3),
    compare('… of it loading the code', 'ms', ({ codeLoadMs = Number.NaN }) => codeLoadMs),
    compare('… of it `activate()`', 'ms', ({ activateMs = Number.NaN }) => activateMs),
    compare('heap of the extension host after activation', 'MB', ({ heapAfter }) => megabytes(heapAfter), 2),
    compare('heap that activation has added', 'MB', ({ heapBefore, heapAfter }) => megabytes(heapAfter - heapBefore)),
  ];
}

function viewComparisons({ ours, beside }: Turns<Views>): FigureComparison[] {
  const compare = (what: string, value: (one: Views) => number): FigureComparison => ({
    what,
    unit: 'ms',
    ours: ours.map(value),
    beside: beside.map(value),
    aim: 1.25,
  });
  return [
    compare(
      'first opening of the view to the connections, beside a tree that knows its rows',
      ({ connectionMs }) => connectionMs,
    ),
    compare(
      'first opening of the view to the first page of tokens, beside a tree after one bare request',
      ({ tokensMs }) => tokensMs,
    ),
    compare(
      'command to the first field of the wizard that takes input, beside a panel with nothing but a field',
      ({ usableMs }) => usableMs,
    ),
  ];
}
