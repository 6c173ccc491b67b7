/** Runs in the extension host of a window: activates an extension and measures it. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { RESULT_FILE, TASK_FILE, type ActivationFigures, type Result, type ProbeTask } from './task.ts';
import { collectedHeap } from './heap.ts';
import { loadedFiles } from './loadedFiles.ts';
import { startProfile } from './profile.ts';
import { timed } from './timed.ts';

const LOOK_EVERY_MS = 100;

/** Waits until work that the activation started has ended, such as reading a file. */
const SETTLED_MS = 1_000;

export function activate(): void {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (folder !== undefined) void serve(folder);
}

async function serve(folder: string): Promise<void> {
  const file = join(folder, TASK_FILE);
  while (!existsSync(file)) await pause(LOOK_EVERY_MS);
  const task = JSON.parse(readFileSync(file, 'utf8')) as ProbeTask;
  const result: Result = await measure(task).catch((error: unknown) => ({ error: String(error) }));
  const partial = join(folder, `${RESULT_FILE}.partial`);
  writeFileSync(partial, JSON.stringify(result));
  renameSync(partial, join(folder, RESULT_FILE));
}

async function measure({ activate: id, profile }: ProbeTask): Promise<ActivationFigures> {
  const extension = vscode.extensions.getExtension(id);
  if (extension === undefined) throw new Error(`${id} is not installed.`);
  if (extension.isActive) throw new Error(`${id} is active already.`);
  const heapBefore = await collectedHeap();
  const endProfile = profile === undefined ? undefined : await startProfile(profile);
  const times = await timed(id, () => extension.activate());
  await endProfile?.();
  await pause(SETTLED_MS);
  const heapAfter = await collectedHeap();
  return { ...times, heapBefore, heapAfter, loaded: await loadedFiles(extension.extensionPath) };
}
