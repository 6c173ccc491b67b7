/** An execution, from the user's yes to its effect on a server. */
import type { Connection } from '../../src/connections/connection.ts';
import type { TruncationPlan } from '../../src/service/indices/truncation.ts';
import type { DryRunReport } from '../../src/truncation/dryRun.ts';
import type { ConfirmedBatch } from './batchPromises.ts';
import type { SentRequest } from './network.ts';
import type { Deed, Server } from './server.ts';
import type { CountedRows } from './visibleRows.ts';

/** A yes to the last question before rows are deleted. */
export interface Yes {
  readonly window: number;
  readonly connection: Connection;
  readonly plan: TruncationPlan;
  readonly shown: DryRunReport;
  /** When the dry run that was shown was answered, and when the user said yes: real ms since the beginning. */
  readonly shownAt: number;
  readonly at: number;
  /** The origin of the dry run that was shown. */
  readonly source: DryRunSource | undefined;
  /** The same object for all items of a batch. */
  readonly batch: ConfirmedBatch | undefined;
  isUsed: boolean;
  /** The last dry run of that plan that was answered since, on that server. */
  recount: { readonly toDelete: number; readonly at: number } | undefined;
}

/** The server that answered a dry run, and the credential that asked it. */
export interface DryRunSource {
  readonly baseUrl: string;
  readonly credential: string | undefined;
}

export interface Execution {
  readonly request: SentRequest;
  readonly yes: Yes;
  readonly recordId: string;
  readonly server: Server;
  readonly at: number;
  /** Rows that were there to be deleted when it left the window. */
  readonly going: ReadonlySet<number>;
  readonly counted: CountedRows;
  /** How often a server received it. */
  reads: number;
  deed: Deed | undefined;
  /** The status of the answer that reached the window. */
  status: number | undefined;
}
