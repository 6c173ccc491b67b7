import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { pythonWithClient } from './environments.ts';

/** Requests to driver.py. */
export type DriverRequest =
  | { readonly command: 'describe' }
  | { readonly command: 'readRecipes'; readonly recipes: Readonly<Record<string, string>> }
  | { readonly command: 'runRecipe'; readonly server: string; readonly token: string; readonly recipe: string };

const DRIVER = fileURLToPath(new URL('driver.py', import.meta.url));

/** Time limit for all steps of the client, in ms. */
const LIMIT = 120_000;
const KEPT_CHARACTERS = 4000;

/** Results of a request's steps. */
export class DriverAnswers {
  readonly #steps: ReadonlyMap<string, DriverLine>;
  readonly #rest: string;

  /** @param rest other output of the client */
  constructor(output: string, rest: string) {
    const lines = output.split('\n').filter((line) => line !== '');
    this.#steps = new Map(lines.map((line) => JSON.parse(line) as DriverLine).map((line) => [line.step, line]));
    this.#rest = rest;
  }

  /** @throws with the client's exception, or with its last output if it never got to this step */
  value(step: string): unknown {
    const line = this.#line(step);
    if (line.error !== undefined) throw new Error(`${step}: ${line.error}`);
    return line.value;
  }

  /** Exception of the client; undefined if it succeeded. */
  error(step: string): string | undefined {
    return this.#line(step).error;
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

/** Runs a release of the client in a process and a home folder of its own. */
export async function drive(version: string, request: DriverRequest): Promise<DriverAnswers> {
  const python = await pythonWithClient(version);
  const home = await mkdtemp(join(tmpdir(), 'metadata-service-client-'));
  try {
    // -I: ignores this machine's Python settings and the current folder.
    const child = spawn(python, ['-I', '-X', 'utf8', DRIVER], { env: clientEnvironment(home), timeout: LIMIT });
    let output = '';
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (rest = (rest + chunk).slice(-KEPT_CHARACTERS)));
    // Its own output explains why it ended before reading.
    child.stdin.on('error', () => {}).end(JSON.stringify(request));
    await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
    return new DriverAnswers(output, rest);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Removes this machine's settings for its own client, and proxies, which would not reach the local service. */
function clientEnvironment(home: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(env).filter(([name]) => !/^(datahub_|.*_proxy$)/i.test(name));
  return { ...Object.fromEntries(inherited), HOME: home, USERPROFILE: home, DATAHUB_TELEMETRY_ENABLED: 'false' };
}
