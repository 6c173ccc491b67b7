import type { ProfileName } from '../service/profiles.ts';

/** Variables in the environment of the extension host. */
export const HOST_VARIABLES = {
  /** A file with a `HostContext`, as JSON. */
  context: 'METADATA_SERVICE_TEST_CONTEXT',
  /** The file that `HostResults` go to, as JSON. */
  results: 'METADATA_SERVICE_TEST_RESULTS',
  /** Only tests whose full title matches this expression. */
  grep: 'METADATA_SERVICE_TEST_GREP',
  /** A whole number: the tests of each suite run in an order that is drawn from it. */
  shuffle: 'METADATA_SERVICE_TEST_SHUFFLE',
  /** Which of the suites' folders: `suites`, or `suites/restricted` where workspace trust is on. */
  folder: 'METADATA_SERVICE_TEST_FOLDER',
} as const;

/** Begin the lines that tell how far the suites are; the workbench prints others. */
export const HOST_MARKS = { count: '#', passed: '✔', skipped: '-', failed: '✗' } as const;

/** The services that run outside the host, for its suites. */
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
