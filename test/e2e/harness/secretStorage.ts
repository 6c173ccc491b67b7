import type { Page } from 'playwright-core';
import { eventuallyEqual } from './conditions.ts';

/**
 * Decrypted secrets of this extension by key. VS Code in the browser encrypts them with AES-GCM in localStorage, and
 * the server keeps one half of the key.
 */
export async function storedSecrets(page: Page): Promise<Map<string, string>> {
  const entries = await page.evaluate(async () => {
    const sealed = localStorage.getItem('secrets.provider');
    if (sealed === null) return [];
    const bytes = Uint8Array.from(atob(sealed.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    const answer = await fetch('/mint-key', { method: 'POST', credentials: 'include' });
    const half = new Uint8Array(await answer.arrayBuffer());
    const raw = bytes.slice(0, 32).map((byte, index) => byte ^ (half[index] ?? 0));
    const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt']);
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: bytes.slice(32, 44) }, key, bytes.slice(44));
    return Object.entries(JSON.parse(new TextDecoder().decode(plain)) as Record<string, string>);
  });
  const own = entries.flatMap(([name, value]) => {
    const { extensionId, key } = parsed(name);
    return extensionId === 'metadata-service-tools.metadata-service' && key !== undefined
      ? [[key, value] as const]
      : [];
  });
  return new Map(own);
}

/** Waits until this extension has no secret. VS Code deletes one after the row of its connection has changed. */
export function secretsAreDeleted(page: Page): Promise<void> {
  return eventuallyEqual(async () => (await storedSecrets(page)).size, 0);
}

function parsed(name: string): { extensionId?: string; key?: string } {
  return name.startsWith('{') ? (JSON.parse(name) as { extensionId: string; key: string }) : {};
}
