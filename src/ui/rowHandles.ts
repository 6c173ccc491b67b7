/**
 * Opaque handles for rows, in place of the rows themselves. Other extensions can get hold of them, through
 * menus or the focused row, and can run our commands with any argument.
 */

/** Can only be compared and returned. */
export interface OpaqueRowHandle {
  readonly [isHandle]: true;
}
declare const isHandle: unique symbol;

const handles = new WeakMap<object, OpaqueRowHandle>();
const subjects = new WeakMap<object, object>();

/** The one handle of a row or other subject. */
export function handleOf(subject: object): OpaqueRowHandle {
  const known = handles.get(subject);
  if (known !== undefined) {
    return known;
  }
  const handle = Object.freeze({}) as OpaqueRowHandle;
  handles.set(subject, handle);
  subjects.set(handle, subject);
  return handle;
}

/** The subject of our handle; undefined for anything else. */
export function subjectOf(handle: unknown): object | undefined {
  return typeof handle === 'object' && handle !== null ? subjects.get(handle) : undefined;
}
