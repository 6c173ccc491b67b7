import type { TaskReport } from './searchCluster.ts';

/** An entry of the size listing. */
export interface IndexSize {
  readonly indexName: string;
  /** Null if the index's name does not have them. */
  readonly names: IndexNames | null;
  readonly bytes: number;
}

/** An entity type and an aspect, spelled as by the caller or in an index's name. */
export interface IndexNames {
  readonly entity: string;
  readonly aspect: string;
}

export interface RowCounts {
  readonly toDelete: number;
  readonly total: number;
}

export interface TruncationOrder {
  readonly names: IndexNames;
  /** Rows up to and including this moment are deleted. Unix time in ms. */
  readonly lastMillis: number;
  /** 0: not specified. */
  readonly batchSize: number;
  /** 0: no limit. */
  readonly timeoutSeconds: number;
}

/** A reindex that failed before there was a task. It does not say how far it got. */
export class AsyncReindexError extends Error {
  /** Part of the platform's response. */
  readonly status: 400 | 500;

  constructor(message: string, status: 400 | 500) {
    super(message);
    this.status = status;
  }
}

/** A failure that the platform passes on with HTTP 500. */
export class StoreError extends Error {}

/** The platform's own service for time series, over any storage. */
export interface TimeseriesStore {
  sizes(): Promise<readonly IndexSize[]>;
  /**
   * Counts as readers see the rows.
   * @throws ClusterError if there is no such index
   */
  count(names: IndexNames, lastMillis: number): Promise<RowCounts>;
  /** @returns the task's ID */
  deleteByQuery(order: TruncationOrder): Promise<string>;
  /**
   * @returns the task's ID.
   * @throws AsyncReindexError
   */
  reindex(order: TruncationOrder): Promise<string>;
  /** Null: unknown. */
  task(id: string): Promise<TaskReport | null>;
}
