import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningService } from '../service/main.ts';
import type { StartingRows } from './startingRows.ts';

/** Calls by which a suite changes or inspects a service outside its host. */
export type ServiceControl = Pick<
  RunningService,
  'rows' | 'tasks' | 'tokens' | 'issueToken' | 'clearRequests' | 'refreshTokens' | 'setAuthentication'
> & {
  requests(): RunningService['requests'];
  addFault(...rule: Parameters<RunningService['faults']['add']>): void;
  clearFaults(): void;
  setPacing(pacing: Partial<RunningService['pacing']>): void;
  /** Ends all tasks, and restores the original rows. */
  restoreRows(): void;
};

export function serviceControl(service: RunningService, rows: StartingRows): ServiceControl {
  return {
    rows: service.rows,
    tasks: service.tasks,
    tokens: service.tokens,
    issueToken: service.issueToken,
    refreshTokens: service.refreshTokens,
    setAuthentication: service.setAuthentication,
    clearRequests: service.clearRequests,
    requests: () => service.requests,
    addFault: (rule) => service.faults.add(rule),
    clearFaults: () => service.faults.clear(),
    setPacing: (pacing) => void Object.assign(service.pacing, pacing),
    restoreRows: () => {
      service.restart();
      rows.putBack();
    },
  };
}

export type ControlServer = { readonly url: string; close(): Promise<void> };

/**
 * Serves a remote control on a loopback port: `POST` with `{"call": name, "arguments": […]}` returns the result as
 * JSON.
 */
export async function serveControl(control: ServiceControl): Promise<ControlServer> {
  const server = createServer((request, response) => {
    answer(control, request).then(
      (result) => response.end(JSON.stringify(result ?? null)),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(control: ServiceControl, request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { call, arguments: callArguments } = JSON.parse(Buffer.concat(chunks).toString()) as {
    call: string;
    arguments: unknown[];
  };
  if (!Object.hasOwn(control, call)) throw new Error(`The remote control has no ${call}.`);
  return (control[call as keyof ServiceControl] as (...values: unknown[]) => unknown)(...callArguments);
}
