/**
 * Node.js's `fetch` has no cache, so its types don't know this option. VS Code may hand a request to Chromium's `fetch`, which has
 * one. Global: there is nothing to import.
 */
interface RequestInit {
  readonly cache?: 'no-store';
}
