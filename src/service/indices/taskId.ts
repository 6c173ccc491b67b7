/** Ids of tasks: what an execution answers when a deletion was started. */

/** `<node>:<number>`, the number not zero (PROTOCOL.md §7.7): the status of such a task can be asked for. */
export function isTaskId(text: string): boolean {
  return /^[A-Za-z0-9_-]+:[0-9]+$/.test(text) && !/:0+$/.test(text) && text.length <= 200;
}

/**
 * Any single token without spaces: on PostgreSQL a started deletion has a UUID for an id (PROTOCOL.md §10). A refusal is a sentence.
 */
export function isStartedTask(text: string): boolean {
  return /^[\x21-\x7E]{1,200}$/.test(text);
}
