/** Sentences in the rows of a quick pick. */
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';

const BLANK = '$(blank) ';
/** Visible characters of a row at ordinary width. */
const WIDTH = 76;

/** Text of a list from this row on: its own, and that of the following rows without an icon. */
export function sentencesFrom(items: readonly vscode.QuickPickItem[], first: RegExp): string {
  const start = items.findIndex(({ label }) => first.test(label));
  assert.ok(start >= 0, `no row ${first} among:\n${items.map(({ label }) => label).join('\n')}`);
  const below = items.slice(start + 1);
  const end = below.findIndex(({ label }) => !label.startsWith(BLANK));
  const rows = [items[start] ?? assert.fail(), ...(end < 0 ? below : below.slice(0, end))];
  return rows.map(({ label }) => withoutIcon(label)).join(' ');
}

/** VS Code cuts off rows and their details at its width, so sentences must be split into short rows. */
export function assertNothingCutoff(items: readonly vscode.QuickPickItem[]): void {
  assert.deepEqual(
    items.filter(({ label, detail }) => detail !== undefined || withoutIcon(label).length > WIDTH),
    [],
  );
}

function withoutIcon(label: string): string {
  return label.replace(/^\$\([\w-]+\) /, '');
}
