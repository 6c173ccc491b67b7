// npm run conformance -- --url URL: checks on a server what the extension relies on. `options.ts` has the options.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { toServiceFailure } from '../../src/service/failure/failure.ts';
import { pastedToken, pastedTokenProblem } from '../../src/service/tokens/pastedToken.ts';
import { root } from '../paths.ts';
import { conformance, EXIT } from './conformance.ts';
import { conformanceOptions, TOKEN_VARIABLE, USAGE, UsageError, type ConformanceOptions } from './options.ts';

/** Clears the current line of a terminal. */
const CLEAR_LINE = '\r\u001B[K';
const watched = process.stderr.isTTY;

const stop = new AbortController();
// Signals may come twice, from the terminal and from npm. The token is still revoked after the first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stop.abort());
}
// A closed pipe (`| head`) must not end the process before the token is revoked.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => stop.abort());
}
process.exitCode = await main();

async function main(): Promise<number> {
  let options: ConformanceOptions | undefined;
  let credential: string | undefined;
  try {
    options = conformanceOptions(process.argv.slice(2));
    if (options === undefined) {
      console.log(USAGE);
      return 0;
    }
    credential = await readToken();
    if (credential === undefined && options.actorUrn === undefined) {
      throw new UsageError(`There is no access token in ${TOKEN_VARIABLE}, and none on standard input.`);
    }
  } catch (error) {
    if (stop.signal.aborted) return EXIT.stopped;
    console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : toServiceFailure(error).message);
    return EXIT.cannotAsk;
  }
  warnOfEcho();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return conformance(options, credential, {
    version,
    signal: stop.signal,
    print: (line) => void process.stdout.write(`${line}\n`),
    tell: (line) => void process.stderr.write(`${watched ? CLEAR_LINE : ''}${line}\n`),
    show: watched
      ? (line) => void process.stderr.write(CLEAR_LINE + line.slice(0, process.stderr.columns - 1))
      : undefined,
  });
}

/**
 * @returns undefined if there is none
 * @throws UsageError
 */
async function readToken(): Promise<string | undefined> {
  const named = process.env[TOKEN_VARIABLE];
  if (named === undefined && process.stdin.isTTY) return undefined;
  const pasted = named ?? (await readInput());
  const token = pastedToken(pasted);
  const problem = pastedTokenProblem(pasted);
  if (problem !== undefined) throw new UsageError(problem);
  return token === '' ? undefined : token;
}

async function readInput(): Promise<string> {
  console.error('Reading the access token from standard input…');
  return text(addAbortSignal(stop.signal, process.stdin));
}

/** Unless silent, npm prints the command line with the address, and writes it to a file. */
function warnOfEcho(): void {
  const { npm_lifecycle_event: script, npm_config_loglevel: level } = process.env;
  if (script === 'conformance' && level !== 'silent' && !process.stdout.isTTY) {
    console.error(
      'npm writes the address above the table. Delete that line, or start with: npm run --silent conformance',
    );
  }
}
