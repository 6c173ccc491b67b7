/** Privileges of a server (PROTOCOL.md §6.3), and the operations that need one, with the names that are sent. */
import * as l10n from '@vscode/l10n';
import type { ServerOperation } from './failure.ts';

/** By their display names, which servers never translate. */
export const PRIVILEGES = {
  generateTokens: 'Generate Personal Access Tokens',
  manageAllTokens: 'Manage All Access Tokens',
  manageServiceAccounts: 'Manage Service Accounts',
  truncate: 'Truncate timeseries aspect index size API',
  readSizes: 'Get Timeseries index sizes API',
  watchTasks: 'Get ES task status API',
} as const;

/** Their types, as `getGrantedPrivileges` lists them. */
export const PRIVILEGE_TYPES = {
  truncate: 'TRUNCATE_TIMESERIES_INDEX_PRIVILEGE',
  readSizes: 'GET_TIMESERIES_INDEX_SIZES_PRIVILEGE',
  watchTasks: 'GET_ES_TASK_STATUS_PRIVILEGE',
  manageServiceAccounts: 'MANAGE_SERVICE_ACCOUNTS',
  /** Includes reading sizes and watching tasks, never truncation. */
  manageSystem: 'MANAGE_SYSTEM_OPERATIONS',
} as const;

/** For responses that grow with the content of the server: thousands of indices stay well below it. */
const LARGEST_LIST_BYTES = 16 * 1024 * 1024;

export const LIST_OWN_TOKENS: ServerOperation = {
  name: 'listAccessTokens',
  actionPhrase: () => l10n.t('list access tokens'),
  largestAnswerBytes: LARGEST_LIST_BYTES,
  privilege: PRIVILEGES.generateTokens,
};
export const LIST_ALL_TOKENS: ServerOperation = {
  name: 'listAccessTokens',
  actionPhrase: () => l10n.t("list other users' access tokens"),
  largestAnswerBytes: LARGEST_LIST_BYTES,
  privilege: PRIVILEGES.manageAllTokens,
};
export const REVOKE_TOKEN: ServerOperation = {
  name: 'revokeAccessToken',
  actionPhrase: () => l10n.t('revoke this access token'),
  privilege: PRIVILEGES.manageAllTokens,
};
export const LOOK_UP_TOKEN: ServerOperation = {
  name: 'getAccessTokenMetadata',
  actionPhrase: () => l10n.t('look up an access token by its value'),
  privilege: PRIVILEGES.manageAllTokens,
};
const CREATE_OWN_TOKEN: ServerOperation = {
  name: 'createAccessToken',
  actionPhrase: () => l10n.t('create access tokens'),
  privilege: PRIVILEGES.generateTokens,
  answersSecret: true,
};
const CREATE_TOKEN_FOR_OTHERS: ServerOperation = {
  ...CREATE_OWN_TOKEN,
  actionPhrase: () => l10n.t('create access tokens for other users'),
  privilege: PRIVILEGES.manageAllTokens,
};
const CREATE_SERVICE_TOKEN: ServerOperation = {
  ...CREATE_OWN_TOKEN,
  actionPhrase: () => l10n.t('create service account access tokens'),
  privilege: PRIVILEGES.manageServiceAccounts,
};

export const LIST_SERVICE_ACCOUNTS: ServerOperation = {
  name: 'listServiceAccounts',
  actionPhrase: () => l10n.t('list service accounts'),
  privilege: PRIVILEGES.manageServiceAccounts,
};

/** Depends on the user that the token acts as. */
export function tokenCreationOperation(isServiceAccount: boolean, isSelf: boolean): ServerOperation {
  if (isServiceAccount) {
    return CREATE_SERVICE_TOKEN;
  }
  return isSelf ? CREATE_OWN_TOKEN : CREATE_TOKEN_FOR_OTHERS;
}

export const READ_SIZES: ServerOperation = {
  name: 'getIndexSizes',
  actionPhrase: () => l10n.t('read index sizes'),
  privilege: PRIVILEGES.readSizes,
  largestAnswerBytes: LARGEST_LIST_BYTES,
};
export const TRUNCATE: ServerOperation = {
  name: 'truncateTimeseriesAspect',
  actionPhrase: () => l10n.t('truncate time series indices'),
  privilege: PRIVILEGES.truncate,
};
export const WATCH_TASK: ServerOperation = {
  name: 'getEsTaskStatus',
  actionPhrase: () => l10n.t('monitor tasks'),
  privilege: PRIVILEGES.watchTasks,
};
