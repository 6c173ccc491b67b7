import type { TaskReport } from './searchCluster.ts';

/** An entry of the size listing. */
export interface IndexSize {
  readonly indexName: string;
  /** Null where they can't be read from the index's name. */
  readonly names: IndexNames | null;
  readonly bytes: number;
}

/** An entity type and an aspect, as the caller or an index's name spells them. */
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
  /** 0: not asked for. */
  readonly batchSize: number;
  /** 0: no limit. */
  readonly timeoutSeconds: number;
}

/** A reindex that fails instead of giving a task. It does not say how far it had come. */
export class AsyncReindexError extends Error {
  /** Part of the platform's response. */
  readonly status: 400 | 500;

  constructor(message: string, status: 400 | 500) {
    super(message);
    this.status = status;
  }
}

/** A failure that the platform passes on as it is, with HTTP 500. */
export class StoreError extends Error {}

/** The platform's own service for time series, over whatever keeps the rows. */
export interface TimeseriesStore {
  sizes(): Promise<readonly IndexSize[]>;
  /** Counts as readers see the rows. @throws ClusterError where there is no such index */
  count(names: IndexNames, lastMillis: number): Promise<RowCounts>;
  /** @returns the task's id */
  deleteByQuery(order: TruncationOrder): Promise<string>;
  /** @returns the task's id. @throws AsyncReindexError */
  reindex(order: TruncationOrder): Promise<string>;
  /** Null: unknown. */
  task(id: string): Promise<TaskReport | null>;
}
