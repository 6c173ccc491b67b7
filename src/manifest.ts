/** Identifiers and bounds declared in package.json. A test compares both. */

export const COMMANDS = {
  connectionAdd: 'metadataService.connection.add',
  connectionEdit: 'metadataService.connection.edit',
  connectionRemove: 'metadataService.connection.remove',
  connectionSignIn: 'metadataService.connection.signIn',
  connectionSignOut: 'metadataService.connection.signOut',
  connectionRotateToken: 'metadataService.connection.rotateToken',
  connectionTest: 'metadataService.connection.test',
  connectionUse: 'metadataService.connection.use',
  tokenCreate: 'metadataService.token.create',
  tokenCopy: 'metadataService.token.copy',
  tokenCopyId: 'metadataService.token.copyId',
  tokenRevoke: 'metadataService.token.revoke',
  tokenRotate: 'metadataService.token.rotate',
  tokenFilter: 'metadataService.token.filter',
  tokenSort: 'metadataService.token.sort',
  tokenClearFilters: 'metadataService.token.clearFilters',
  tokenInspect: 'metadataService.token.inspect',
  tokenLoadMore: 'metadataService.token.loadMore',
  tokenOpenTerminal: 'metadataService.token.openTerminal',
  indexOverview: 'metadataService.index.overview',
  indexTruncate: 'metadataService.index.truncate',
  indexAdd: 'metadataService.index.add',
  indexForget: 'metadataService.index.forget',
  indexCopyName: 'metadataService.index.copyName',
  indexCopyRequest: 'metadataService.index.copyRequest',
  indexExport: 'metadataService.index.export',
  indexSort: 'metadataService.index.sort',
  taskShow: 'metadataService.task.show',
  taskCopyId: 'metadataService.task.copyId',
  taskForget: 'metadataService.task.forget',
  explorerRefresh: 'metadataService.explorer.refresh',
  failureCopyDetails: 'metadataService.failure.copyDetails',
  logShow: 'metadataService.log.show',
  helpGuide: 'metadataService.help.guide',
  helpTroubleshooting: 'metadataService.help.troubleshooting',
} as const;
export type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];

export const VIEWS = { explorer: 'metadataService.explorer' } as const;

/** View type of the wizard, restored by VS Code. */
export const WIZARD_VIEW_TYPE = 'metadataService.truncation';

/** View type of the overview. */
export const OVERVIEW_VIEW_TYPE = 'metadataService.overview';

/**
 * Not set until the connections are read, which opening the palette begins. Conditions such as `connectionCount != 0` hold
 * until then.
 */
export const CONTEXT_KEYS = {
  connectionCount: 'metadataService.connectionCount',
  /** Connections that aren't read-only. */
  writableConnectionCount: 'metadataService.writableConnectionCount',
  /** Those of them on which the user may create tokens, as far as is known. Undefined until a list of tokens was loaded. */
  creatableConnectionCount: 'metadataService.creatableConnectionCount',
  /** The same for tokens that act as the user: others take another privilege. */
  rotatableConnectionCount: 'metadataService.rotatableConnectionCount',
  /** The window shows a remote machine, and the extension runs on the user's. */
  isBesideRemote: 'metadataService.isBesideRemote',
} as const;

export const SETTINGS = {
  dryRunMaxAgeMinutes: 'metadataService.dryRunMaxAgeMinutes',
  clipboardClearSeconds: 'metadataService.clipboardClearSeconds',
  requestTimeoutSeconds: 'metadataService.requestTimeoutSeconds',
} as const;
export type SettingKey = keyof typeof SETTINGS;

/** Smallest and largest value of each setting, in its own unit. */
export const SETTING_BOUNDS: Readonly<Record<SettingKey, readonly [minimum: number, maximum: number]>> = {
  dryRunMaxAgeMinutes: [1, 120],
  clipboardClearSeconds: [0, 3_600],
  requestTimeoutSeconds: [5, 600],
};
