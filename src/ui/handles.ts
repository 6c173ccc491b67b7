/**
 * What VS Code gets of the tree's rows, and hands back to our commands: objects with nothing in them. Other extensions come by them
 * too, with a menu entry of their own or by having VS Code name the focused row, and run our commands with whatever they like.
 */

/** Can be compared and handed back, nothing else. */
export interface Handle {
  readonly [isHandle]: true;
}
declare const isHandle: unique symbol;

const handles = new WeakMap<object, Handle>();
const subjects = new WeakMap<object, object>();

/** The handle of a row, or of whatever else a command may be about; always the same one. */
export function handleOf(subject: object): Handle {
  const known = handles.get(subject);
  if (known !== undefined) {
    return known;
  }
  const handle = Object.freeze({}) as Handle;
  handles.set(subject, handle);
  subjects.set(handle, subject);
  return handle;
}

/** What a handle of ours stands for. Anything else stands for nothing, whatever it looks like. */
export function subjectOf(handle: unknown): object | undefined {
  return typeof handle === 'object' && handle !== null ? subjects.get(handle) : undefined;
}
