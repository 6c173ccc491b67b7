import type { ProfileName } from '../service/profiles.ts';

export const HOST_VARIABLES = {
  context: 'METADATA_SERVICE_TEST_CONTEXT',
  results: 'METADATA_SERVICE_TEST_RESULTS',
  /** Expression that the full title of a test must match. */
  grep: 'METADATA_SERVICE_TEST_GREP',
  /** Names of the suites to run, separated by commas. */
  suites: 'METADATA_SERVICE_TEST_SUITES',
} as const;

/** Begin lines about the progress of suites, because the workbench prints other lines. */
export const HOST_MARKS = { count: '#', passed: '✔', skipped: '-', failed: '✗' } as const;

export type HostContext = {
  readonly services: Readonly<Record<ProfileName, HostService>>;
};

export type HostService = {
  readonly url: string;
  readonly frontUrl: string;
  readonly users: Readonly<Record<string, { readonly urn: string; readonly token: string }>>;
  readonly controlUrl: string;
};
