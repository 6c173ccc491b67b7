/** Files that remember something of a token each. */
import { createHash } from 'node:crypto';
import type { FileStore } from '../platform/fileStore.ts';

/** A server's IDs may contain slashes, and differ in nothing but their case. */
export function tokenFileId(connectionId: string, tokenId: string): string {
  return `${connectionId}.${createHash('sha256').update(tokenId).digest('hex')}`;
}

/** IDs of a connection's files, also of those that can't be read. */
export function tokenFilesOf(
  files: Pick<FileStore<object>, 'all' | 'unreadable'>,
  connectionId: string,
): readonly string[] {
  const ids = [...files.all().keys(), ...files.unreadable().keys()];
  return ids.filter((id) => id.startsWith(`${connectionId}.`));
}
