import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { outFolder } from '../paths.ts';

/** Hooks outside suites and the time zone apply to all files in a process. */
const NEEDS_OWN_PROCESS = /^(?:before|after)(?:Each)?\(|\bTZ\b/m;

/** A program of node:test with its test files. */
export type TestProgram = { readonly program: string; readonly files: readonly string[] };

/**
 * Combines test files into as many programs, for tests that take less time than starting a process. Files that need
 * their own process get one.
 *
 * @param files absolute paths
 */
export function sharedProcesses(files: readonly string[], count: number): TestProgram[] {
  const folder = join(outFolder, 'test', 'shared');
  const alone = files.filter((file) => NEEDS_OWN_PROCESS.test(readFileSync(file, 'utf8')));
  const others = files.filter((file) => !alone.includes(file));
  mkdirSync(folder, { recursive: true });
  const programs = Array.from({ length: Math.min(count, others.length) }, (_, index) => {
    const program = join(folder, `${index + 1}.test.mjs`);
    const ofProgram = others.filter((_file, place) => place % count === index);
    writeFileSync(program, ofProgram.map((file) => `await import('${pathToFileURL(file).href}');\n`).join(''));
    return { program, files: ofProgram };
  });
  return [...programs, ...ownProcesses(alone)];
}

export function ownProcesses(files: readonly string[]): TestProgram[] {
  return files.map((file) => ({ program: file, files: [file] }));
}
