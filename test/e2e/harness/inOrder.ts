import { afterEach, beforeEach, type TestContext } from 'node:test';

/** `passed` is newer than the types of Node.js that are used here. */
export type EndedTest = TestContext & { readonly passed: boolean };

/** To be called in a suite of which each test needs those before it: after one that failed the others fail without running. */
export function inOrder(): void {
  let failed: string | undefined;
  beforeEach(() => {
    if (failed === undefined) return;
    const error = new Error(`Not run, because "${failed}" failed.`);
    error.stack = error.message;
    throw error;
  });
  afterEach((context) => {
    if (!(context as EndedTest).passed) failed ??= context.name;
  });
}
