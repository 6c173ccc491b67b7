import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ThemeIcon, TreeItem } from 'vscode';
import '../ui/window.ts';

const { fitsNarrowRow, keepStateVisible } = await import('../../../src/explorer/narrowRow.ts');

const ICON = {} as ThemeIcon;

function rowOf(label: string, state: string, more: TreeItem = {} as TreeItem): TreeItem {
  const item: TreeItem = { label, description: `${state} · more`, ...more };
  keepStateVisible(item, state);
  return item;
}

suite('A row in a narrow side bar', () => {
  test('shortens a long name, so that the state after it fits', () => {
    const name = 'airflow production ingestion and lineage';
    assert.equal(rowOf(name, '6 months').label, 'airflow pr…d lineage');
    assert.equal(rowOf(name, 'superseded', { iconPath: ICON } as TreeItem).label, 'airflow …lineage');
    assert.equal(rowOf('short', 'superseded').label, 'short');
  });

  test('keeps a name whole without a state', () => {
    const name = 'a name that is longer than any row that fits into the side bar';
    assert.equal(rowOf(name, '').label, name);
  });

  test('keeps some of the name beside the longest state', () => {
    assert.equal(rowOf('nightly ingestion', 'production · Token rejected (401)').label, 'nightl…stion');
  });

  test('counts wide letters as wider', () => {
    const { label } = rowOf('夜間の取り込み処理と系統の更新処理', '期限切れ');
    assert.equal(label, '夜間の取り込…の更新処理');
  });

  test('says the whole name to screen readers', () => {
    const name = 'airflow production ingestion and lineage';
    assert.equal(rowOf(name, 'expired').accessibilityInformation?.label, `${name} expired · more`);
    const accessibilityInformation = { label: 'in words' };
    assert.equal(rowOf(name, 'expired', { accessibilityInformation }).accessibilityInformation?.label, 'in words');
    assert.equal(rowOf('short', 'expired').accessibilityInformation, undefined);
  });

  test('has room for more beside a short name', () => {
    assert.equal(fitsNarrowRow('operation', '2.6 MB · 2.8%'), true);
    assert.equal(fitsNarrowRow('documentusagestatistics', '36 kB · <0.1%'), false);
  });

  test('shows no piece of an access token', () => {
    const token = `eyJhbGciOiJIUzI1NiJ9.${'eyJ0ZXN0Ijoi'.repeat(6)}.${'c2lnbmF0dXJl'.repeat(4)}`;
    const shown = String(rowOf(`airflow production ingestion ${token}`, 'expired').label);
    assert.match(shown, /^airflow .*…/);
    assert.ok(!shown.includes(token.slice(-3)), shown);
  });
});
