import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../../../test/e2e/harness/conditions.ts';
import { RESULT_FILE, TASK_FILE, type ActivationFigures, type Result, type ProbeTask } from './extensions/task.ts';
import type { ColdWindow } from './coldWindow.ts';

/** Lets the probe activate an extension in a window, and returns what it measured. */
export async function activation({ folder }: ColdWindow, task: ProbeTask): Promise<ActivationFigures> {
  const file = join(folder, TASK_FILE);
  await writeFile(`${file}.partial`, JSON.stringify(task));
  await rename(`${file}.partial`, file);
  const result = JSON.parse(await eventually(() => readFile(join(folder, RESULT_FILE), 'utf8'))) as Result;
  if ('error' in result) throw new Error(result.error);
  return result;
}
