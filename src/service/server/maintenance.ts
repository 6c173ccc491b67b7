/** Whether a server says that it is under maintenance (PROTOCOL.md §6.5). */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import type { Operation } from '../failure/failure.ts';
import type { Transport } from '../http/transport.ts';
import { jsonIn } from '../json.ts';

const STATUS: Operation = { name: 'maintenanceStatus', doing: () => l10n.t("read the server's configuration") };
const PATH = '/openapi/operations/maintenance/status';

const BODY = v.object({ enabled: v.literal(true), message: v.fallback(v.nullish(v.string()), undefined) });

export interface Maintenance {
  /** What administrators tell; masked, one line. */
  readonly message: string | undefined;
}

/** Undefined: it isn't, or it doesn't say. Never fails: nothing depends on it. */
export async function askMaintenance(
  transport: Transport,
  signal: AbortSignal | undefined,
): Promise<Maintenance | undefined> {
  try {
    const answer = await transport.exchange({ operation: STATUS, method: 'GET', path: PATH, signal });
    const parsed = v.safeParse(BODY, answer.status === 200 ? jsonIn(answer) : undefined);
    return parsed.success ? { message: transport.readable(parsed.output.message ?? '') } : undefined;
  } catch {
    return undefined;
  }
}
