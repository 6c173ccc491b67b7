/** Reads server and token of DataHub's command line from the environment of this window (PROTOCOL.md §11). */
import { pastedToken } from '../service/tokens/pastedToken.ts';
import { commandLineAddresses, type ImportedConnection } from './commandLineFile.ts';

/** @returns undefined if the environment names no server. */
export function readCommandLineEnvironment(
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
): ImportedConnection | undefined {
  const {
    DATAHUB_GMS_HOST: host,
    DATAHUB_GMS_PORT: port,
    DATAHUB_GMS_PROTOCOL: protocol,
    DATAHUB_GMS_URL: url,
    DATAHUB_GMS_TOKEN: token,
  } = environment;
  // In the command's own order.
  const server = host && port ? `${protocol || 'http'}://${host}:${port}` : url || host || '';
  const addresses = commandLineAddresses(server);
  return (
    addresses && {
      ...addresses,
      token: pastedToken(token ?? '') || undefined,
      source: 'commandLineEnvironment',
      headers: {},
    }
  );
}
