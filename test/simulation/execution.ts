/** An execution, from the yes to its effect. */
import type { Connection } from '../../src/connections/connection.ts';
import type { TruncationPlan } from '../../src/service/indices/truncationRequest.ts';
import type { DryRunReport } from '../../src/truncation/dryRun.ts';
import type { SentRequest } from './network.ts';
import type { ServerDeletion, Server } from './server.ts';

/** A job of an overview: another object for each yes. */
export interface ConfirmedJob {
  /** The object that sends it. */
  readonly by: object;
}

/** The user's yes to the last question before deletion. */
export interface Yes {
  readonly window: number;
  readonly connection: Connection;
  readonly plan: TruncationPlan;
  readonly shown: DryRunReport;
  /** When the displayed dry run was answered, and when the user said yes: real ms since the start. */
  readonly shownAt: number;
  readonly at: number;
  /** Origin of the displayed dry run. */
  readonly source: DryRunSource | undefined;
  /** The same object for all items of an overview's job. */
  readonly job: ConfirmedJob | undefined;
  isUsed: boolean;
  /** The plan's last dry run on that server since then. */
  recount: { readonly toDelete: number; readonly at: number } | undefined;
}

/** The server that answered a dry run, and the credential of its request. */
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
  /** Rows to delete when the request left the window. */
  readonly going: ReadonlySet<number>;
  /** How often a server received it. */
  reads: number;
  deletion: ServerDeletion | undefined;
  /** Status of the response that reached the window. */
  status: number | undefined;
}
