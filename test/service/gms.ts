import { graphqlEndpoint } from './graphqlEndpoint.ts';
import { containerError, json, type Call, type Reply } from './http.ts';
import { callOperation } from './operations.ts';
import type { Platform } from './platform.ts';
import { frameworkError, restLiError } from './restli.ts';

/** A server or a part of one: answers a request. */
export type Handler = (call: Call) => Promise<Reply>;

/** The metadata service itself, with every path of its profile. */
export function metadataService(platform: Platform): Handler {
  const { profile } = platform;
  const graphql = graphqlEndpoint(platform);
  return async (call) => {
    if (profile.graphqlPaths.includes(call.path)) {
      return graphql(call);
    }
    if (profile.operationPaths.includes(call.path)) {
      return callOperation(platform, call);
    }
    if (profile.sideDoors && call.path === '/config') {
      return json(200, configDocument(platform));
    }
    if (profile.container === 'spring') {
      return containerError(profile, call, call.path === '/' ? 500 : 404, 'Not Found');
    }
    const [, root = ''] = call.path.split('/');
    if (root === 'api') {
      return containerError(profile, call, 404, `No endpoint ${call.method} ${call.path}.`);
    }
    return restLiError(frameworkError(`No root resource defined for path '/${root}'`, 404));
  };
}

/** The public configuration. Clients recognize a service by `noCode`. */
function configDocument({ profile }: Platform): object {
  return {
    models: {},
    patchCapable: true,
    versions: { 'acryldata/datahub': { version: profile.version, commit: '0123456789abcdef0123456789abcdef01234567' } },
    managedIngestion: { defaultCliVersion: profile.clientRelease, enabled: true },
    statefulIngestionCapable: true,
    supportsImpactAnalysis: true,
    timeZone: 'GMT',
    telemetry: { enabledCli: true, enabledIngestion: false },
    datasetUrnNameCasing: false,
    retention: 'true',
    datahub: { serverType: 'dev', ...(profile.container === 'spring' ? { serverEnv: 'core' } : {}) },
    noCode: 'true',
  };
}
