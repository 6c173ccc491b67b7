import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { pythonWithClient } from './environments.ts';

/** Requests to the driver: see driver.py. */
export type DriverRequest =
  | {
      readonly command: 'talk';
      readonly server: string;
      readonly token: string;
      readonly indices: readonly (readonly [entityType: string, aspect: string])[];
      /** Time of the dry runs: Unix time in ms. */
      readonly endTimeMillis: number;
      readonly collectorConfig: object;
    }
  | { readonly command: 'describe' }
  | { readonly command: 'readRecipes'; readonly recipes: Readonly<Record<string, string>> }
  | { readonly command: 'runRecipe'; readonly server: string; readonly token: string; readonly recipe: string };

const DRIVER = fileURLToPath(new URL('driver.py', import.meta.url));

/** How long the client may take for all steps, in ms. */
const LIMIT = 120_000;
const KEPT_CHARACTERS = 4000;

/** Results of the steps of a request. */
export class DriverAnswers {
  readonly #steps: ReadonlyMap<string, DriverLine>;
  readonly #rest: string;

  /** @param rest What the client printed besides. */
  constructor(output: string, rest: string) {
    const lines = output.split('\n').filter((line) => line !== '');
    this.#steps = new Map(lines.map((line) => JSON.parse(line) as DriverLine).map((line) => [line.step, line]));
    this.#rest = rest;
  }

  /** @throws what the client raised, or said last where it never came to this step */
  value(step: string): unknown {
    const line = this.#line(step);
    if (line.error !== undefined) throw new Error(`${step}: ${line.error}`);
    return line.value;
  }

  /** Exception of the client; undefined if it succeeded. */
  error(step: string): string | undefined {
    return this.#line(step).error;
  }

  /** Steps in the order in which they were done. */
  get steps(): readonly string[] {
    return [...this.#steps.keys()];
  }

  #line(step: string): DriverLine {
    const line = this.#steps.get(step);
    if (line === undefined) throw new Error(`The client never came to "${step}". It said:\n${this.#rest}`);
    return line;
  }
}

interface DriverLine {
  readonly step: string;
  readonly value?: unknown;
  readonly error?: string;
}

/** Has a release of the client do something, in a process of its own and with a home folder of its own. */
export async function drive(version: string, request: DriverRequest): Promise<DriverAnswers> {
  const python = await pythonWithClient(version);
  const home = await mkdtemp(join(tmpdir(), 'metadata-service-client-'));
  try {
    // -I: neither this machine's settings of Python nor the current folder take part.
    const child = spawn(python, ['-I', '-X', 'utf8', DRIVER], { env: clientEnvironment(home), timeout: LIMIT });
    let output = '';
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (rest = (rest + chunk).slice(-KEPT_CHARACTERS)));
    // If it ends before it has read the request, its own words say why.
    child.stdin.on('error', () => {}).end(JSON.stringify(request));
    await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
    return new DriverAnswers(output, rest);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Without what this machine has set for its own client, and without a proxy, which would not reach the local service. */
function clientEnvironment(home: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(env).filter(([name]) => !/^(datahub_|.*_proxy$)/i.test(name));
  return { ...Object.fromEntries(inherited), HOME: home, USERPROFILE: home, DATAHUB_TELEMETRY_ENABLED: 'false' };
}
