/** Files that remember something of a token each. */
import { createHash } from 'node:crypto';

/** A server's IDs may contain slashes, and differ in nothing but their case. */
export function tokenFileId(connectionId: string, tokenId: string): string {
  return `${connectionId}.${createHash('sha256').update(tokenId).digest('hex')}`;
}
