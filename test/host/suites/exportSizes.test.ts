import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { localDateText } from '../../../src/ui/typedValues.ts';
import { hostService } from '../context.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { personWith } from './support/fixtures.ts';
import { rowAt } from './support/tree.ts';
import { INDICES } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Sizes (EU)';
const window = vscode.window as { showSaveDialog: typeof vscode.window.showSaveDialog };

suite('Exporting index sizes', () => {
  const service = hostService('next');
  const { showSaveDialog } = window;
  let folder = '';
  /** Proposals for VS Code's dialog, which tests can't answer. */
  let proposed: string[] = [];

  suiteSetup(async () => (folder = await mkdtemp(join(tmpdir(), 'metadata-service-export-'))));
  const person = personWith(service, () => saveConnection(connectionAs(service, 'operator', NAME)));
  setup(() => {
    proposed = [];
    window.showSaveDialog = (options) => {
      const path = options?.defaultUri?.fsPath ?? '';
      proposed.push(path);
      return Promise.resolve(vscode.Uri.file(join(folder, basename(path))));
    };
  });
  teardown(() => {
    window.showSaveDialog = showSaveDialog;
  });
  suiteTeardown(() => rm(folder, { recursive: true }));

  test('proposes a file named after connection and day, then the folder of the last export, and offers to open it', async () => {
    const before = localDateText(new Date());
    const { node } = await rowAt(NAME, INDICES);
    await vscode.commands.executeCommand(COMMANDS.indexExport, node);
    await vscode.commands.executeCommand(COMMANDS.indexExport, node);
    const names = [before, localDateText(new Date())].map((day) => `indices-Sizes-EU-${day}.csv`);
    assert.equal(proposed.length, 2);
    const [first = '', second = ''] = proposed;
    assert.ok(names.includes(basename(first)), first);
    assert.notEqual(dirname(first), dirname('/'), 'in a folder that a person has');
    assert.equal(dirname(second), folder);
    assert.match(
      await readFile(join(folder, basename(second)), 'utf8'),
      /^"entityType","aspect","indexName","sizeBytes"\r\n/,
    );
    await person.presses(/^\d+ indices exported$/, 'Open in Editor');
    const opened = await until('the file', () => vscode.window.activeTextEditor?.document.uri.fsPath);
    assert.equal(basename(opened), basename(proposed[0] ?? ''));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
