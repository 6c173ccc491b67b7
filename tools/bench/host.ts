import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../../test/e2e/harness/conditions.ts';
import { benchExtensionId } from './extensions.ts';
import type { ActivationFigures } from './extensions/probe.ts';
import { firstField } from './firstField.ts';
import { firstRows, type FirstRows } from './firstRows.ts';
import { comparisonTable, type FigureComparison } from './report.ts';
import { sizeTable } from './sizes.ts';
import { openBenchStage, type BenchStage, type ColdWindow } from './stage.ts';

/** What a user sees first of an extension. Times in ms from the press. */
interface FirstViews extends FirstRows {
  readonly fieldMs: number;
}

interface Turns<T> {
  readonly ours: readonly T[];
  readonly beside: readonly T[];
}

/**
 * Measures waiting times in VS Code (activation, tree, wizard), each beside an extension that does nothing else, and
 * the sizes of what is read.
 * @param windows cold ones of each kind
 */
export async function hostFigures(windows: number): Promise<string> {
  const stage = await openBenchStage();
  try {
    const activations = await inTurns(
      windows,
      () => stage.inColdWindow((window) => activation(window, stage.productId)),
      () => stage.inColdWindow((window) => activation(window, benchExtensionId('empty'))),
    );
    const views = await inTurns(
      windows,
      () => viewsIn(stage, 'DataHub', 'Truncate Index'),
      () => viewsIn(stage, 'Plain', 'Open Panel'),
    );
    assertSameRows(views);
    return [
      '## In VS Code, beside the least that could do the same',
      `VS Code ${stage.version} in the browser, ${windows} cold windows of each kind, in turns: median (least–most). ` +
        'An activation is measured in the extension host, around the call that asks VS Code for it; rows and fields in ' +
        'the window, from the press to what it brings.',
      comparisonTable([...activationComparisons(activations), ...viewComparisons(views)]),
      '## Sizes',
      await sizeTable(stage.product, activations.ours[0]?.loaded ?? []),
    ].join('\n\n');
  } finally {
    await stage.close();
  }
}

/**
 * Measures two things in turns, each first in every other turn, so that both run on the same machine.
 * A first turn is not counted, because caches fill in it.
 */
async function inTurns<T>(rounds: number, ours: () => Promise<T>, beside: () => Promise<T>): Promise<Turns<T>> {
  const found = { ours: [] as T[], beside: [] as T[] };
  const measures = [async () => void found.ours.push(await ours()), async () => void found.beside.push(await beside())];
  for (let round = 0; round <= rounds; round += 1) {
    for (const measure of round % 2 === 0 ? measures : measures.toReversed()) await measure();
    if (round === 0) found.ours.length = found.beside.length = 0;
  }
  return found;
}

/** Lets the probe activate an extension in a window, and returns what it measured. */
async function activation({ folder }: ColdWindow, id: string): Promise<ActivationFigures> {
  await writeFile(join(folder, 'asked'), id);
  await rename(join(folder, 'asked'), join(folder, 'task'));
  const result = JSON.parse(await eventually(() => readFile(join(folder, 'result'), 'utf8'))) as
    | ActivationFigures
    | { readonly error: string };
  if ('error' in result) throw new Error(result.error);
  return result;
}

function viewsIn(stage: BenchStage, containerTitle: string, command: string): Promise<FirstViews> {
  return stage.inColdWindow(async ({ page }) => {
    const rows = await firstRows(page, containerTitle);
    return { ...rows, fieldMs: await firstField(page, command) };
  });
}

/** Otherwise the figures would compare different things. */
function assertSameRows({ ours, beside }: Turns<FirstViews>): void {
  const [first, ...others] = [...ours, ...beside].map(({ labels }) => labels.join('\n'));
  const different = others.find((labels) => labels !== first);
  if (different !== undefined) throw new Error(`Two windows did not show the same rows:\n${first}\n\n${different}`);
}

function activationComparisons({ ours, beside }: Turns<ActivationFigures>): FigureComparison[] {
  const compare = (
    what: string,
    unit: FigureComparison['unit'],
    value: (one: ActivationFigures) => number,
  ): FigureComparison => ({ what, unit, ours: ours.map(value), beside: beside.map(value) });
  return [
    { ...compare('activation, beside that of an empty extension', 'ms', ({ wallMs }) => wallMs), aim: 2 },
    { ...compare('heap of the extension host after activation', 'MB', ({ heapAfter }) => heapAfter / 1e6), aim: 2 },
    compare('heap that activation has added', 'MB', ({ heapBefore, heapAfter }) => (heapAfter - heapBefore) / 1e6),
  ];
}

function viewComparisons({ ours, beside }: Turns<FirstViews>): FigureComparison[] {
  const rows: readonly (readonly [string, (one: FirstViews) => number])[] = [
    [
      'first opening of the view to the connections, beside a tree that knows its rows',
      ({ connectionMs }) => connectionMs,
    ],
    [
      'first opening of the view to the first page of tokens, beside a tree after one bare request with a stored token',
      ({ tokensMs }) => tokensMs,
    ],
    [
      'command to the first field of the wizard that takes input, beside a panel with nothing but a field',
      ({ fieldMs }) => fieldMs,
    ],
  ];
  return rows.map(([what, value]) => ({
    what,
    unit: 'ms',
    ours: ours.map(value),
    beside: beside.map(value),
    aim: 1.25,
  }));
}
