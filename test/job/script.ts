import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { RunningService } from '../service/main.ts';
import type { JobShell } from './shells.ts';

export const SCRIPT = fileURLToPath(new URL('../../media/truncate.sh', import.meta.url));

/** Settings at the top of the script, as its owner writes them. */
export interface JobSettings {
  /** By default that of the service, as the extension fills it in. */
  readonly url?: string;
  /** Lines with entity type, aspect, days, ceiling and all rows. */
  readonly indices?: readonly string[];
  readonly stateIndices?: string;
  /** Seconds. A short one by default. */
  readonly pause?: number;
  readonly maxHours?: number;
  readonly batchSize?: number;
  /** Looks without a change after which the judge gives up: not a setting, but a number in the script. */
  readonly looks?: number;
  /** Seconds after which curl gives up waiting for an answer: not a setting, but a number in the script. */
  readonly answerSeconds?: number;
}

export interface JobRun {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningJob {
  readonly end: Promise<JobRun>;
  kill(signal: NodeJS.Signals): void;
}

/** Undefined unsets a variable. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The script with settings in a folder of its own, as a person has it on a server. */
export class Job {
  readonly stateFolder: string;
  readonly home: string;
  readonly #shell: JobShell;
  readonly #script: string;
  #environment: Environment;
  readonly #running = new Set<ChildProcess>();

  constructor(shell: JobShell, folder: string, environment: Environment) {
    this.home = folder;
    this.stateFolder = join(folder, 'state');
    this.#shell = shell;
    this.#script = join(folder, 'truncate.sh');
    this.#environment = environment;
  }

  /** The file in which the script remembers `OPERATIONS`. */
  get record(): string {
    return join(this.stateFolder, 'dataset,operation');
  }

  /** Deletes. */
  execute(environment: Environment = {}): Promise<JobRun> {
    return this.run({ EXECUTE: 'yes', ...environment });
  }

  run(environment: Environment = {}, ...scriptArguments: readonly string[]): Promise<JobRun> {
    return this.start(environment, ...scriptArguments).end;
  }

  start(environment: Environment = {}, ...scriptArguments: readonly string[]): RunningJob {
    return this.#start([], environment, scriptArguments);
  }

  /** Deletes, if it can although nothing can be written to any file. */
  onFullDisk(): Promise<JobRun> {
    const limited = 'trap "" XFSZ; ulimit -f 0; exec "$@"';
    return this.#start([join(this.#shell.tools, 'sh'), '-c', limited, 'sh'], { EXECUTE: 'yes' }, []).end;
  }

  #start(before: readonly string[], environment: Environment, scriptArguments: readonly string[]): RunningJob {
    const { command, leadingArguments, tools } = this.#shell;
    const [program = command, ...words] = [...before, command, ...leadingArguments, this.#script, ...scriptArguments];
    const child = spawn(program, words, {
      env: { PATH: tools, HOME: this.home, STATE_DIR: this.stateFolder, ...this.#environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
    }
    this.#running.add(child);
    const end = new Promise<JobRun>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        this.#running.delete(child);
        resolve({ code, ...output });
      });
    });
    return { end, kill: (signal) => void child.kill(signal) };
  }

  /** Ends runs that a failed test has left. */
  stop(): void {
    for (const child of this.#running) child.kill('SIGKILL');
  }

  /** Changes variables of all later runs. */
  use(environment: Environment): void {
    this.#environment = { ...this.#environment, ...environment };
  }

  /** Changes settings, as the owner of the script does between two runs. */
  async set(settings: JobSettings): Promise<void> {
    await writeFile(this.#script, filledIn(await readFile(this.#script, 'utf8'), settings));
  }
}

/** The script for a service, with its administrator's token, in a folder that the test removes. */
export async function jobFor(
  context: TestContext,
  shell: JobShell,
  service: RunningService,
  settings: JobSettings = {},
): Promise<Job> {
  const folder = await mkdtemp(join(tmpdir(), 'job-'));
  const job = new Job(shell, folder, { DATAHUB_GMS_TOKEN: service.adminToken });
  context.after(() => {
    job.stop();
    return rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const text = await readFile(SCRIPT, 'utf8');
  await writeFile(
    join(folder, 'truncate.sh'),
    filledIn(text, { url: operationsBase(service), indices: [OPERATIONS], pause: 0.03, ...settings }),
  );
  return job;
}

/** The sample of `addRows`, with a ceiling of twice its old rows. */
export const OPERATIONS = 'dataset operation 90 40 200';
/** A second index, without rows unless a test adds them. */
export const CHARTS = 'chart chartusagestatistics 90 40 200';

/** Address before `/operations`. Without authentication, a front end passes no token on. */
export function operationsBase({ profile, url, frontUrl }: RunningService): string {
  if (profile === 'spec') return `${url}/gms`;
  return profile === '0.14' ? url : `${frontUrl}/api/gms`;
}

/** A text of the shell, with quotes in it as `quoted` writes them. */
const QUOTED = /'(?:[^']|'\\'')*'/.source;

/** The script with other settings. */
function filledIn(script: string, settings: JobSettings): string {
  const { url, indices, stateIndices, pause, maxHours, batchSize, looks, answerSeconds } = settings;
  const places: readonly [RegExp, string | number | undefined][] = [
    [new RegExp(`(?<=^GMS_URL=)${QUOTED}`, 'm'), url && quoted(url)],
    [new RegExp(`(?<=^INDICES=)${QUOTED}`, 'm'), indices && quoted(['', ...indices, ''].join('\n'))],
    [new RegExp(`(?<=^STATE_INDICES=)${QUOTED}`, 'm'), stateIndices === undefined ? undefined : quoted(stateIndices)],
    [/(?<=^PAUSE=)\S+/m, pause],
    [/(?<=^MAX_HOURS=)\S+/m, maxHours],
    [/(?<=^BATCH_SIZE=)\S+/m, batchSize],
    [/(?<=\$still -lt )\d+/, looks],
    [/(?<=\*:)\d+(?=:0\) problem="ended early")/, looks],
    [/(?<=--max-time )\d+/, answerSeconds],
  ];
  return places.reduce((text, [place, by]) => (by === undefined ? text : replaced(text, place, `${by}`)), script);
}

/** A text of the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** @throws Error if there is no such place, so that no test runs without its settings */
function replaced(text: string, place: RegExp, by: string): string {
  if (!place.test(text)) throw new Error(`The script has no ${place.source}.`);
  return text.replace(place, () => by);
}
