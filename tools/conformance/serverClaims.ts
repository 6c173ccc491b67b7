import { differs, failureOf, findingOf, holds, notAsked, type ServerClaim } from './claim.ts';

export const SERVER_CLAIMS: readonly ServerClaim[] = [
  {
    id: 'privileges',
    sentence: '`getGrantedPrivileges` lists what the caller may do with indices',
    expected: 'a list of privileges',
    exchanges: ['privileges'],
    consequence: "Test Connection can't say whether you may truncate, read sizes or watch tasks.",
    onlyDataHub: true,
    ask: async ({ service, signal }) =>
      (await service.server.fact('rights', signal)).truncate === undefined
        ? differs('no list')
        : holds('a list of privileges'),
  },
  {
    id: 'listed-service-accounts',
    sentence: 'Service accounts are listed with URN and name',
    expected: 'a list',
    exchanges: ['service-accounts', 'service-accounts-refused'],
    consequence: "Service accounts can't be picked by name: you type their URNs.",
    onlyDataHub: true,
    ask: async ({ service, signal }) => {
      if (!(await service.server.hasServiceAccounts(signal))) return notAsked('the schema has no such list');
      const failure = await failureOf(service.tokens.serviceAccounts(signal));
      return failure === undefined ? holds('a list') : findingOf(failure);
    },
  },
  {
    id: 'ingestion-release',
    sentence: '`/config` says which release runs recipes',
    expected: 'a release',
    exchanges: ['configuration-of-0.14', 'configuration-of-1.6'],
    consequence: 'Copy as datahub-gc Recipe is refused.',
    onlyDataHub: true,
    ask: async ({ service, server, signal }) => {
      if (server.product === undefined || server.entrance === 'unknown') return notAsked('`/config` was not found');
      const release = await service.server.ingestionRelease(signal);
      return release === undefined ? differs('no release') : holds('a release');
    },
  },
];
