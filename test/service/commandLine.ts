import process, { argv, exit, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import type { startService } from './main.ts';
import type { ServiceOptions } from './options.ts';
import { profiles, type ProfileName } from './profiles.ts';

/** Pause between the batches of a task, in ms. Long enough to watch its progress. */
const watchableDelay = 400;

/**
 * Starts the service with the command line's options, prints one line of JSON once it is ready, and stops on SIGINT
 * or SIGTERM.
 */
export async function runCommandLine(start: typeof startService): Promise<void> {
  try {
    const service = await start(readOptions(argv.slice(2)));
    const { url, frontUrl, users, adminToken } = service;
    stdout.write(`${JSON.stringify({ url, frontUrl, user: users.admin.urn, token: adminToken })}\n`);
    const stop = (): void => {
      service.close().then(
        () => exit(0),
        () => exit(1),
      );
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  } catch (error) {
    stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    exit(1);
  }
}

/** @throws Error with a readable sentence if an argument is invalid */
function readOptions(args: string[]): ServiceOptions {
  const { profile } = parseArgs({ args, options: { profile: { type: 'string', default: '1.6' } } }).values;
  if (!Object.hasOwn(profiles, profile)) {
    throw new Error(`--profile is one of ${Object.keys(profiles).join(', ')}, not ${profile}.`);
  }
  return { profile: profile as ProfileName, batchDelayMillis: watchableDelay };
}
