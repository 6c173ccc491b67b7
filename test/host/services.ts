import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../service/main.ts';
import { profiles, type ProfileName } from '../service/profiles.ts';
import { serveControl, serviceControl } from './control.ts';
import type { HostContext, HostService } from './environment.ts';
import { StartingRows } from './startingRows.ts';
import { QUICK_REFRESH_MS } from './vscode/quickTime.ts';

/** Enough for several batches, and quick to create. */
const ROWS = 30_000;

export type HostServices = { close(): Promise<void> };

/**
 * Starts a local service of each profile for the suites in an extension host.
 *
 * @param contextFile is written: a `HostContext`
 */
export async function startHostServices(contextFile: string): Promise<HostServices> {
  const names = Object.keys(profiles) as ProfileName[];
  const folder = await mkdtemp(join(tmpdir(), 'metadata-service-host-rows-'));
  const started = await Promise.all(
    names.map(async (profile) => {
      const database = join(folder, `${profile}.db`);
      const service = await startService({
        profile,
        rows: ROWS,
        database,
        refreshIntervalMillis: QUICK_REFRESH_MS,
      });
      const rows = new StartingRows(database);
      const control = await serveControl(serviceControl(service, rows));
      const { url, frontUrl, users } = service;
      const hostService: HostService = { url, frontUrl, users, controlUrl: control.url };
      const close = async (): Promise<void> => {
        await Promise.all([control.close(), service.close()]);
        rows.close();
      };
      return { entry: [profile, hostService] as const, close };
    }),
  );
  const services = Object.fromEntries(started.map(({ entry }) => entry)) as HostContext['services'];
  await writeFile(contextFile, JSON.stringify({ services } satisfies HostContext));
  return {
    close: async () => {
      await Promise.all(started.map(({ close }) => close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
