// npm start: a VS Code in the browser with the extension installed from its package, next to a local service with
// sample data.
import { MILLIS_PER_DAY } from '../../src/time.ts';
import { startVSCode } from '../../test/e2e/harness/vscode.ts';
import { codeServer } from '../../test/host/vscode/codeServer.ts';
import { startService } from '../../test/service/main.ts';
import { buildPackage } from '../package/build.ts';
import { startOptions, USAGE, type StartOptions } from './options.ts';
import { requireFreePort, USUAL_PORTS, usualPort } from './ports.ts';

/** Pause after each batch of a truncation, in ms, so that it can be watched. */
const WATCHABLE_PAUSE = 400;

type StoppablePart = { stop(): Promise<unknown> };
const parts: StoppablePart[] = [];
let stopping: Promise<void> | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
try {
  const options = startOptions(process.argv.slice(2));
  if (options.help) console.log(USAGE);
  else await start(options);
} catch (error) {
  // A step that is interrupted fails too.
  if (stopping === undefined) console.error(error instanceof Error ? error.message : error);
  await stop(1);
}

async function start(options: StartOptions): Promise<void> {
  await requireFreePort(options.port, '--port');
  if (options.servicePort !== undefined) await requireFreePort(options.servicePort, '--service-port');
  if (options.frontPort !== undefined) await requireFreePort(options.frontPort, '--front-port');

  const { file } = await step('Building the extension', () => buildPackage());
  await step('Getting VS Code for the browser', () => codeServer('newest'));
  const service = await step('Starting the local service with sample data', async () =>
    startService({
      profile: options.profile,
      port: options.servicePort ?? (await usualPort(USUAL_PORTS.service)),
      frontPort: options.frontPort ?? (await usualPort(USUAL_PORTS.front)),
      batchDelayMillis: WATCHABLE_PAUSE,
      ...(options.searchCluster === undefined ? {} : { searchCluster: options.searchCluster }),
    }),
  );
  await keep({ stop: () => service.close() });
  const vscode = await step('Starting VS Code with the extension', () =>
    startVSCode({ vsix: file, port: options.port }),
  );
  await keep(vscode);

  const { urn } = service.users.admin;
  // A personal one: a session's can't be rotated or looked up.
  const { token } = service.issueToken({
    name: 'editor',
    ownerUrn: urn,
    actorUrn: urn,
    expiresAt: Date.now() + 30 * MILLIS_PER_DAY,
  });
  service.refreshTokens();
  const front =
    service.frontUrl === service.url
      ? ''
      : `\n  Front end    ${service.frontUrl}   (the same service, as people reach it)`;
  console.log(`
  VS Code      ${vscode.url}/?folder=${encodeURI(vscode.workspace)}
  Service      ${service.url}   (profile ${options.profile})${front}
  User         ${urn}
  Token        ${token}

Open the first address in a browser, select DataHub in the Activity Bar and add a connection to the
service with the token. The user is asked only where a server doesn't say whose token it is.
Nothing is kept: the data and this VS Code, with its settings and connections, are temporary.
Ctrl+C stops everything.`);
}

/** Says what begins, which may take minutes. */
function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  console.log(`${title}…`);
  return work();
}

/** Registers a part to stop at the end. One that starts during the stop is stopped at once. */
async function keep(part: StoppablePart): Promise<void> {
  parts.push(part);
  if (stopping) await part.stop();
}

function stop(code: number): Promise<void> {
  stopping ??= stopParts().then(() => process.exit(code));
  return stopping;
}

async function stopParts(): Promise<void> {
  if (parts.length > 0) console.log('Stopping…');
  await Promise.allSettled(parts.toReversed().map((part) => part.stop()));
}
