import assert from 'node:assert/strict';
import { COMMANDS } from '../../../../src/manifest.ts';
import type { OverviewPageView, OverviewTableRow } from '../../../../src/pages/overview/protocol.ts';
import { openPage, type ListenedPage } from './openPage.ts';
import { rowAt } from './tree.ts';
import { until } from './until.ts';

export async function openOverview(name: string): Promise<ListenedPage> {
  const page = await openPage(COMMANDS.indexOverview, await rowAt(name));
  assert.ok(page !== undefined, 'a page was opened');
  await until('the page', () => page.view());
  return page;
}

export function shownOverview(page: ListenedPage): OverviewPageView | undefined {
  return page.view() as OverviewPageView | undefined;
}

export function shownRows(page: ListenedPage): readonly OverviewTableRow[] {
  return shownOverview(page)?.rows ?? [];
}
