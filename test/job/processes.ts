/** The processes of this machine, as any user of it sees them. Linux only. */
import { readdir, readFile } from 'node:fs/promises';

interface ProcessFacts {
  /** Its arguments. */
  readonly words: string;
  readonly environment: string;
}

/** All processes that can be read. One that has ended meanwhile is left out. */
export async function readProcesses(): Promise<ProcessFacts[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const facts = await Promise.all(
    numbers.map(async (number) => {
      const [words, environment] = await Promise.all(
        ['cmdline', 'environ'].map((name) => readFile(`/proc/${number}/${name}`, 'utf8').catch(() => '')),
      );
      return { words: words ?? '', environment: environment ?? '' };
    }),
  );
  return facts.filter(({ words }) => words !== '');
}
