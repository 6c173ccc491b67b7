/** How the suites in the extension host ended; written by them, read by whoever started it. */
export type HostResults = {
  readonly vscode: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly HostFailure[];
};

export type HostFailure = { readonly title: string; readonly message: string };
