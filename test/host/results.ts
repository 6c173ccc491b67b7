/** Results of the suites in an extension host, which writes them for the runner. */
export type HostResults = {
  readonly vscode: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly HostFailure[];
};

export type HostFailure = { readonly title: string; readonly message: string };
