/** Counts of a running or finished task, with the names that a search cluster uses. */
export interface TaskCounts {
  total: number;
  created: number;
  deleted: number;
  batches: number;
  version_conflicts: number;
  retries: { bulk: number; search: number };
}

/** A task as `GET /_tasks/<id>` reports it. */
export interface TaskReport extends Readonly<TaskCounts> {
  readonly id: string;
  readonly completed: boolean;
  readonly runMillis: number;
}

export interface IndexStatistics {
  /** Physical name, even if an alias matched. */
  readonly name: string;
  /** Store size of the primaries. */
  readonly bytes: number;
}

export interface IndexSettings {
  /** Milliseconds between two refreshes. -1: none. null: the cluster's default. */
  readonly refreshIntervalMillis: number | null;
  readonly replicas: number;
  readonly writeBlocked: boolean;
}

export interface ReindexRequest {
  readonly source: string;
  readonly destination: string;
  /** Rows after this moment are copied. Unix time in ms. */
  readonly afterMillis: number;
  readonly batchSize: number;
  /** `op_type` `create`: rows that the destination already has stay unchanged. The platform does not use it. */
  readonly onlyMissing?: boolean;
}

export interface DeleteByQueryRequest {
  /** A physical name or an alias. With `*`: all that match. */
  readonly index: string;
  /** Rows up to and including this moment are deleted. Unix time in ms. */
  readonly lastMillis: number;
  readonly batchSize: number;
}

export interface RowSummary {
  readonly count: number;
  /** Unix milliseconds of the oldest and the newest row. Null if there are none. */
  readonly min: number | null;
  readonly max: number | null;
}

/** A request that the cluster refuses. */
export class ClusterError extends Error {
  readonly status: number;

  /** @param reason in the cluster's words: `[type=…, reason=…]` */
  constructor(status: number, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.status = status;
  }
}

/** The cluster does not answer at all. */
export class UnreachableError extends ClusterError {
  constructor(cause?: unknown) {
    super(503, "[type=connect_exception, reason=the search cluster can't be reached]", { cause });
  }
}

/**
 * Requests that the platform and its administrators send to a search cluster. An `index` is a physical name or an
 * alias. Every method throws ClusterError if the cluster answers with an error.
 */
export interface SearchCluster {
  /** `GET /*aspect_v1/_stats`: indices whose name or alias matches the whole pattern, by physical name. */
  statistics(): Promise<readonly IndexStatistics[]>;
  /** `GET /_alias/<alias>`: the physical index behind an alias. Null if the name is no alias. */
  behindAlias(alias: string): Promise<string | null>;
  /**
   * `POST /<index>/_count`. With `*` in its name: the sum of all that match.
   * @param lastMillis rows up to and including this moment. null: all
   */
  count(index: string, lastMillis: number | null): Promise<number>;
  /** `PUT /<name>` with another index's mapping and the settings that the platform is configured with. */
  createIndex(name: string, like: string): Promise<void>;
  /** `POST /_aliases`: both changes at once. */
  moveAlias(alias: string, from: string, to: string): Promise<void>;
  /** `PUT /<index>/_settings`. */
  putSettings(index: string, settings: Partial<IndexSettings>): Promise<void>;
  /**
   * `POST /_reindex?wait_for_completion=false`, ignoring conflicts.
   * @returns the task's ID
   */
  reindex(request: ReindexRequest): Promise<string>;
  /**
   * `POST /<index>/_delete_by_query?wait_for_completion=false`.
   * @returns the task's ID
   */
  deleteByQuery(request: DeleteByQueryRequest): Promise<string>;
  /** `GET /_tasks/<id>`. Null if it answers 404. */
  task(id: string): Promise<TaskReport | null>;

  /** `POST /<index>/_refresh`. */
  refresh(index: string): Promise<void>;
  /** Searches for the number of rows, the oldest and the newest. */
  summary(index: string): Promise<RowSummary>;
  /** `POST /<index>/_bulk`, one row per moment. Unix time in ms. */
  write(index: string, timestampsMillis: readonly number[]): Promise<void>;
}
