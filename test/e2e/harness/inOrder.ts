import { afterEach, beforeEach, type TestContext } from 'node:test';

/** `passed` is newer than the installed types of Node.js. */
export type EndedTest = TestContext & { readonly passed: boolean };

/** Call this in a suite whose tests depend on the ones before. After a failed test, the others fail without running. */
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
