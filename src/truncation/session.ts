/** Tells this extension host from those of other windows, and from the one before a reload. Never stored but in records of what it sent. */
export const SESSION_ID: string = crypto.randomUUID();
