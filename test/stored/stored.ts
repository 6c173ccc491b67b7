/**
 * State that each version of the extension stored in a real run. An update must lose none of it.
 *
 * Values of that run alone (addresses, tokens) are placeholders: `{{name}}`. A version that stores something new
 * gets a file of its own, made with `stateOf`; earlier files never change. Saved before a release as `unreleased`,
 * so that prereleases lose no data.
 */
import v010 from './0.1.0.json' with { type: 'json' };
import unreleased from './unreleased.json' with { type: 'json' };

export interface Stored {
  readonly globalState: Readonly<Record<string, unknown>>;
  readonly workspaceState: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** The state of the wizard's pages that VS Code kept. */
  readonly panelStates: readonly unknown[];
  /** Contents of the files with the sizes of indices, by connection. 0.1.0 kept none. */
  readonly sizeHistories?: Readonly<Record<string, unknown>>;
}

/** Values that differ in each run. */
export interface RunValues {
  readonly service: string;
  readonly spec: string;
  readonly 'admin token': string;
  readonly 'operator token': string;
  readonly 'sizer token': string;
  /** A token that the connection "Own token" created and signs in with. */
  readonly 'own token': string;
  readonly 'own token id': string;
  readonly 'copied token id': string;
  readonly 'remembered token id': string;
}

/** For tests that need no server. */
export const ANY_RUN: RunValues = {
  service: 'http://127.0.0.1:8080',
  spec: 'http://127.0.0.1:8081',
  'admin token': 'admin-token',
  'operator token': 'operator-token',
  'sizer token': 'sizer-token',
  'own token': 'own-token',
  'own token id': 'b3duIHRva2VuIG9mIHRoZSBhbmFseXN0IGlzIHRoaXM=',
  'copied token id': 'Y29waWVkIHRva2VuIG9mIHRoZSBhZG1pbiBpcyB0aGlz',
  'remembered token id': 'cmVtZW1iZXJlZCB0b2tlbiBvZiB0aGUgb3BlcmF0b3I=',
};

/** By version, the oldest first. */
export const STORED: Readonly<Record<string, Stored>> = { '0.1.0': v010, unreleased };

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/** Fills in the addresses and tokens of another run, and new IDs, so that no two runs share any. */
export function inRun(stored: Stored, values: RunValues): Stored {
  const ids = new Map<string, string>();
  const text = JSON.stringify(stored)
    .replaceAll(/\{\{([\w ]+)\}\}/g, (_, name: string) => {
      const value = (values as unknown as Record<string, string | undefined>)[name];
      if (value === undefined) throw new Error(`There is no value for {{${name}}}.`);
      return value;
    })
    .replaceAll(UUID, (id) => {
      const fresh = ids.get(id) ?? crypto.randomUUID();
      ids.set(id, fresh);
      return fresh;
    });
  return JSON.parse(text) as Stored;
}
