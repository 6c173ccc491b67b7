/** Reads server and token of DataHub's command line from the environment of this window (PROTOCOL.md §11). */
import { commandLineAddresses, importedToken, type CommandLineImport } from './commandLineFile.ts';

/** @returns undefined if the environment names no server. */
export function readCommandLineEnvironment(
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
): CommandLineImport | undefined {
  const {
    DATAHUB_GMS_HOST: host,
    DATAHUB_GMS_PORT: port,
    DATAHUB_GMS_PROTOCOL: protocol,
    DATAHUB_GMS_URL: url,
    DATAHUB_GMS_TOKEN = '',
  } = environment;
  // In the command's own order.
  const server = host && port ? `${protocol || 'http'}://${host}:${port}` : url || host || '';
  const addresses = commandLineAddresses(server);
  if (addresses === undefined) {
    return undefined;
  }
  const { token, remarks } = importedToken(DATAHUB_GMS_TOKEN, addresses);
  return { connection: { ...addresses, token, source: 'commandLineEnvironment', headers: {} }, remarks };
}
