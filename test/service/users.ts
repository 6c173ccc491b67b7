export type Privilege =
  | 'GENERATE_PERSONAL_ACCESS_TOKENS'
  | 'MANAGE_ACCESS_TOKENS'
  | 'MANAGE_SERVICE_ACCOUNTS'
  | 'TRUNCATE_TIMESERIES_INDEX_PRIVILEGE'
  | 'GET_TIMESERIES_INDEX_SIZES_PRIVILEGE'
  | 'GET_ES_TASK_STATUS_PRIVILEGE'
  | 'MANAGE_SYSTEM_OPERATIONS';

const everything: readonly Privilege[] = [
  'GENERATE_PERSONAL_ACCESS_TOKENS',
  'MANAGE_ACCESS_TOKENS',
  'MANAGE_SERVICE_ACCOUNTS',
  'TRUNCATE_TIMESERIES_INDEX_PRIVILEGE',
  'GET_TIMESERIES_INDEX_SIZES_PRIVILEGE',
  'GET_ES_TASK_STATUS_PRIVILEGE',
  'MANAGE_SYSTEM_OPERATIONS',
];

/** One user for each kind of refusal: each privilege has a user who holds no other. */
const privilegesByUser = {
  admin: everything,
  steward: ['MANAGE_ACCESS_TOKENS'],
  analyst: ['GENERATE_PERSONAL_ACCESS_TOKENS'],
  operator: [
    'GENERATE_PERSONAL_ACCESS_TOKENS',
    'TRUNCATE_TIMESERIES_INDEX_PRIVILEGE',
    'GET_TIMESERIES_INDEX_SIZES_PRIVILEGE',
    'GET_ES_TASK_STATUS_PRIVILEGE',
  ],
  truncator: ['TRUNCATE_TIMESERIES_INDEX_PRIVILEGE'],
  sizer: ['GET_TIMESERIES_INDEX_SIZES_PRIVILEGE'],
  watcher: ['GET_ES_TASK_STATUS_PRIVILEGE'],
  system: ['MANAGE_SYSTEM_OPERATIONS'],
  guest: [],
} as const satisfies Record<string, readonly Privilege[]>;

export type UserName = keyof typeof privilegesByUser;
export const userNames = Object.keys(privilegesByUser) as UserName[];

/** A user of the subtype "service account". It signs in with tokens only. */
export const serviceAccountUrn = 'urn:li:corpuser:service_ingestion';

interface ServiceAccount {
  readonly urn: string;
  readonly type: 'CORP_USER';
  /** The ID without its prefix. */
  readonly name: string;
  readonly displayName: string;
}

/** Service accounts, sorted by name as they are listed. Their IDs say nothing. */
export const serviceAccounts: readonly ServiceAccount[] = [
  ...['Airflow nightly', 'dbt', 'Great Expectations'].map(serviceAccount),
  { urn: serviceAccountUrn, type: 'CORP_USER', name: 'ingestion', displayName: 'Ingestion' },
  ...['Lineage [Renew](command:x) $(trash)', 'Spark'].map((name, index) => serviceAccount(name, 3 + index)),
];

function serviceAccount(displayName: string, index: number): ServiceAccount {
  const name = `5e3a1c0${index}-7d1f-4a9e-9c56-2f1b8d7a4e10`;
  return { urn: userUrn(`service_${name}`), type: 'CORP_USER', name, displayName };
}

/** The caller without authentication and without an actor header. */
export const systemActorUrn = 'urn:li:corpuser:__datahub_system';

export function userUrn(name: string): string {
  return `urn:li:corpuser:${name}`;
}

/** A caller with their privileges. Unknown users have none. */
export interface Actor {
  readonly urn: string;
  readonly privileges: ReadonlySet<Privilege>;
}

const privilegesByUrn = new Map<string, readonly Privilege[]>([
  [systemActorUrn, everything],
  // A new server's policies give it to every user.
  [serviceAccountUrn, ['GENERATE_PERSONAL_ACCESS_TOKENS']],
  ...userNames.map((name) => [userUrn(name), privilegesByUser[name]] as const),
]);

export function actorOf(urn: string): Actor {
  return { urn, privileges: new Set(privilegesByUrn.get(urn) ?? []) };
}
