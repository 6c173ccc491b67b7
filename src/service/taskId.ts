/** Ids of tasks (facts §5.1): `<node>:<number>`, the number not zero. Whatever else an execution answers started no task. */
export function isTaskId(text: string): boolean {
  return /^[A-Za-z0-9_-]+:[0-9]+$/.test(text) && !/:0+$/.test(text) && text.length <= 200;
}
