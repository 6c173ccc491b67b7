import type { ProfileName } from '../service/profiles.ts';

/** Environment variables of the extension host. */
export const HOST_VARIABLES = {
  /** A file with a `HostContext`, as JSON. */
  context: 'METADATA_SERVICE_TEST_CONTEXT',
  /** File for `HostResults`, as JSON. */
  results: 'METADATA_SERVICE_TEST_RESULTS',
  /** Expression that the full title of a test must match. */
  grep: 'METADATA_SERVICE_TEST_GREP',
  /** Names of the suites to run, separated by commas. */
  suites: 'METADATA_SERVICE_TEST_SUITES',
} as const;

/** Begin lines about the progress of suites, because the workbench prints other lines. */
export const HOST_MARKS = { count: '#', passed: '✔', skipped: '-', failed: '✗' } as const;

/** Services outside the host, for its suites. */
export type HostContext = {
  readonly services: Readonly<Record<ProfileName, HostService>>;
};

/** A running local service. */
export type HostService = {
  readonly url: string;
  readonly frontUrl: string;
  readonly users: Readonly<Record<string, { readonly urn: string; readonly token: string }>>;
  /** Address of its remote control. */
  readonly controlUrl: string;
};
