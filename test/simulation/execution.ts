/** An execution, from the yes of a person to what a server made of it. */
import type { Connection } from '../../src/connections/connection.ts';
import type { TruncationPlan } from '../../src/service/indices/truncation.ts';
import type { DryRunReport } from '../../src/truncation/dryRun.ts';
import type { Together } from './batchPromises.ts';
import type { SentRequest } from './network.ts';
import type { Deed, Server } from './server.ts';
import type { CountedRows } from './visibleRows.ts';

/** A yes to the last question before rows are deleted. */
export interface Yes {
  readonly window: number;
  readonly connection: Connection;
  readonly plan: TruncationPlan;
  readonly shown: DryRunReport;
  /** When the dry run that was shown was answered, and when the person said yes: ms that really passed since the beginning. */
  readonly shownAt: number;
  readonly at: number;
  /** Where the dry run that was shown was asked, and with which credential. */
  readonly source: DryRunSource | undefined;
  /** The same object for all that were confirmed at once. */
  readonly together: Together | undefined;
  isUsed: boolean;
  /** The last dry run of that plan that was answered since, on that server. */
  recount: { readonly toDelete: number; readonly at: number } | undefined;
}

/** Where a dry run was answered, and with which credential it was asked. */
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
  /** How often a server received it, whatever came of it. */
  reads: number;
  deed: Deed | undefined;
  /** The status of the answer that reached the window. */
  status: number | undefined;
}
