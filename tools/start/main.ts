// npm start: a VS Code in the browser with the extension installed from its package, next to a local service with
// sample data.
import { startVSCode } from '../../test/e2e/harness/vscode.ts';
import { buildPackage } from '../package/build.ts';
import { startService } from '../../test/service/main.ts';
import { startOptions, USAGE } from './options.ts';
import { requireFreePort } from './ports.ts';

/** Pause after each batch of a truncation, in ms, so that it can be watched. */
const WATCHABLE_PAUSE = 400;

type StoppablePart = { stop(): Promise<unknown> };
const parts: StoppablePart[] = [];
let stopping: Promise<void> | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
try {
  await start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await stop(1);
}

async function start(): Promise<void> {
  const options = startOptions(process.argv.slice(2));
  if (options.help) {
    console.log(USAGE);
    return;
  }
  await requireFreePort(options.port, '--port');
  await requireFreePort(options.servicePort, '--service-port');
  await requireFreePort(options.frontPort, '--front-port');

  console.log('Building the package…');
  const { file } = await buildPackage();
  console.log('Starting the local service…');
  const service = await startService({
    profile: options.profile,
    port: options.servicePort,
    frontPort: options.frontPort,
    batchDelayMillis: WATCHABLE_PAUSE,
    ...(options.searchCluster === undefined ? {} : { searchCluster: options.searchCluster }),
  });
  await keep({ stop: () => service.close() });
  console.log('Starting VS Code…');
  const vscode = await startVSCode({ vsix: file, port: options.port });
  await keep(vscode);

  const { urn, token } = service.users.admin;
  console.log(`
  VS Code      ${vscode.url}/?folder=${encodeURI(vscode.workspace)}
  Service      ${service.url}   (profile ${options.profile})
  Front end    ${service.frontUrl}   (the same service, as people reach it)
  User         ${urn}
  Token        ${token}

Open the first address in a browser, choose Metadata Service in the activity bar and add a connection to
either of the other two, with the user and the token.
Ctrl-C stops everything.`);
}

/** Registers a part to stop at the end. One that starts during the stop is stopped at once. */
async function keep(part: StoppablePart): Promise<void> {
  parts.push(part);
  if (stopping) await part.stop();
}

function stop(code: number): Promise<void> {
  stopping ??= Promise.allSettled(parts.toReversed().map((part) => part.stop())).then(() => process.exit(code));
  return stopping;
}
