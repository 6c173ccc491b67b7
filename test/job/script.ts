import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { escaped } from '../../tools/escaped.ts';
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
}

export interface JobRun {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningJob {
  readonly pid: number;
  readonly end: Promise<JobRun>;
  kill(signal: NodeJS.Signals): void;
}

type Environment = Readonly<Record<string, string>>;

/** The script with settings in a folder of its own, as a person has it on a server. */
export class Job {
  readonly stateFolder: string;
  readonly home: string;
  readonly #shell: JobShell;
  readonly #script: string;
  readonly #environment: Environment;

  constructor(shell: JobShell, folder: string, environment: Environment) {
    this.home = folder;
    this.stateFolder = join(folder, 'state');
    this.#shell = shell;
    this.#script = join(folder, 'truncate.sh');
    this.#environment = environment;
  }

  /** Deletes. */
  execute(environment: Environment = {}): Promise<JobRun> {
    return this.run({ EXECUTE: 'yes', ...environment });
  }

  run(environment: Environment = {}, ...scriptArguments: readonly string[]): Promise<JobRun> {
    return this.start(environment, ...scriptArguments).end;
  }

  start(environment: Environment = {}, ...scriptArguments: readonly string[]): RunningJob {
    const { command, leadingArguments, tools } = this.#shell;
    const child = spawn(command, [...leadingArguments, this.#script, ...scriptArguments], {
      env: { PATH: tools, HOME: this.home, STATE_DIR: this.stateFolder, ...this.#environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
    }
    const end = new Promise<JobRun>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, ...output }));
    });
    return { pid: child.pid ?? 0, end, kill: (signal) => void child.kill(signal) };
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
  context.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const text = await readFile(SCRIPT, 'utf8');
  await writeFile(
    join(folder, 'truncate.sh'),
    filledIn(text, { url: operationsBase(service), indices: [OPERATIONS], pause: 0.03, ...settings }),
  );
  return new Job(shell, folder, { DATAHUB_GMS_TOKEN: service.adminToken });
}

/** The sample of `addRows`, with a ceiling of twice its old rows. */
export const OPERATIONS = 'dataset operation 90 40 200';

/** Address before `/operations`. Without authentication, a front end passes no token on. */
export function operationsBase({ profile, url, frontUrl }: RunningService): string {
  if (profile === 'spec') return `${url}/gms`;
  return profile === '0.14' ? url : `${frontUrl}/api/gms`;
}

/** Looks without a change after which the judge of the script gives up. */
const LOOKS = 120;

function filledIn(text: string, settings: JobSettings): string {
  const { url, indices, stateIndices, pause, maxHours, batchSize, looks } = settings;
  const values: readonly [name: string, value: string | undefined][] = [
    ['GMS_URL', url && quoted(url)],
    ['INDICES', indices && quoted(['', ...indices, ''].join('\n'))],
    ['STATE_INDICES', stateIndices && quoted(stateIndices)],
    ['PAUSE', pause?.toString()],
    ['MAX_HOURS', maxHours?.toString()],
    ['BATCH_SIZE', batchSize?.toString()],
  ];
  const filled = values.reduce(
    (changed, [name, value]) =>
      value === undefined
        ? changed
        : replaced(changed, new RegExp(`^${name}=(?:'[^']*'|\\S+)`, 'm'), `${name}=${value}`),
    text,
  );
  return looks === undefined
    ? filled
    : [` -lt ${LOOKS} `, `*:${LOOKS}:`].reduce(
        (changed, place) => replaced(changed, new RegExp(escaped(place)), place.replace(`${LOOKS}`, `${looks}`)),
        filled,
      );
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
