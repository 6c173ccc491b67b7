/** Sentences in the rows of a quick pick. */
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';

const BLANK = '$(blank) ';
/** Letters of a row that are seen in a window of ordinary width. */
const WIDTH = 76;

/** Text of a list from this row on: its own, and that of the rows below without an icon. */
export function sentencesFrom(items: readonly vscode.QuickPickItem[], first: RegExp): string {
  const start = items.findIndex(({ label }) => first.test(label));
  assert.ok(start >= 0, `no row ${first} among:\n${items.map(({ label }) => label).join('\n')}`);
  const below = items.slice(start + 1);
  const end = below.findIndex(({ label }) => !label.startsWith(BLANK));
  const rows = [items[start] ?? assert.fail(), ...(end < 0 ? below : below.slice(0, end))];
  return rows.map(({ label }) => withoutIcon(label)).join(' ');
}

/** VS Code cuts a row off at its width, and a detail below it too: sentences are in rows that are short enough. */
export function assertNothingCutOff(items: readonly vscode.QuickPickItem[]): void {
  assert.deepEqual(
    items.filter(({ label, detail }) => detail !== undefined || withoutIcon(label).length > WIDTH),
    [],
  );
}

function withoutIcon(label: string): string {
  return label.replace(/^\$\([\w-]+\) /, '');
}
