import type { TaskReport } from './searchCluster.ts';

/** True for a task's ID: a node's name and a number other than 0. */
export function isTaskId(text: string): boolean {
  return /^[a-zA-Z0-9_-]+:[0-9]+$/.test(text) && Number(text.slice(text.lastIndexOf(':') + 1)) !== 0;
}

/** A task as the operations report it: JSON text with a `status` that is JSON text too. */
export function taskStatusText(task: TaskReport): string {
  const { total, created, deleted, batches, version_conflicts, retries } = task;
  const status = {
    total,
    updated: 0,
    created,
    deleted,
    batches,
    version_conflicts,
    noops: 0,
    retries,
    throttled_millis: 0,
    requests_per_second: -1,
    throttled_until_millis: 0,
  };
  return JSON.stringify({
    completed: task.completed,
    taskId: task.id,
    runTimeNanos: Math.round(task.runMillis * 1e6),
    // Java prints this rate as a float.
    status: JSON.stringify(status).replace('"requests_per_second":-1,', '"requests_per_second":-1.0,'),
  });
}
