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

/**
 * Parses the arguments.
 * @throws Error with a readable sentence if one is invalid
 */
export function readOptions(args: string[]): ServiceOptions {
  const { values } = parseArgs({
    args,
    options: {
      profile: { type: 'string', default: '1.6' },
      port: { type: 'string' },
      'front-port': { type: 'string' },
      database: { type: 'string' },
      seed: { type: 'string' },
      'search-cluster': { type: 'string' },
      rows: { type: 'string' },
      tokens: { type: 'string' },
      lag: { type: 'string' },
      'batch-delay': { type: 'string', default: String(watchableDelay) },
      auth: { type: 'string' },
      'rest-auth': { type: 'string' },
    },
  });
  if (!(values.profile in profiles)) {
    throw new Error(`--profile is one of ${Object.keys(profiles).join(', ')}, not ${values.profile}.`);
  }
  return {
    profile: values.profile as ProfileName,
    ...given('database', values.database),
    ...given('searchCluster', values['search-cluster']),
    ...given('port', whole('port', values.port)),
    ...given('frontPort', whole('front-port', values['front-port'])),
    ...given('seed', whole('seed', values.seed)),
    ...given('rows', whole('rows', values.rows)),
    ...given('tokens', whole('tokens', values.tokens)),
    ...given('lagMillis', whole('lag', values.lag)),
    ...given('batchDelayMillis', whole('batch-delay', values['batch-delay'])),
    ...given('authentication', onOff('auth', values.auth)),
    ...given('restAuthorization', onOff('rest-auth', values['rest-auth'])),
  };
}

function given<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Record<K, T>>);
}

function whole(name: string, value: string | undefined): number | undefined {
  if (value !== undefined && !/^\d+$/.test(value)) {
    throw new Error(`--${name} is a whole number, not ${value}.`);
  }
  return value === undefined ? undefined : Number(value);
}

function onOff(name: string, value: string | undefined): boolean | undefined {
  if (value !== undefined && value !== 'on' && value !== 'off') {
    throw new Error(`--${name} is on or off, not ${value}.`);
  }
  return value === undefined ? undefined : value === 'on';
}
