import { empty, json, text } from './http.ts';
import type { Handler } from './gms.ts';
import { actorHeader, type Profile } from './profiles.ts';

/**
 * The front end's proxy in front of the metadata service, for callers without a session cookie. Maps paths, never
 * passes an actor header on, and passes a Bearer token on only while its own authentication is on.
 */
export function frontProxy(profile: Profile, service: Handler, authentication: boolean): Handler {
  return async (call) => {
    if (call.path === '/config') {
      return json(200, { status: 'ok', config: { application: 'datahub-frontend', appVersion: profile.version } });
    }
    if (!authentication || call.headers.authorization === undefined) {
      return empty(401);
    }
    const path = proxiedPath(call.path);
    return path === null
      ? text(404, '')
      : service({ ...call, path, headers: { ...call.headers, [actorHeader(profile)]: '' } });
  };
}

function proxiedPath(path: string): string | null {
  if (path === '/api/v2/graphql' || path === '/api/graphql') {
    return '/api/graphql';
  }
  return path.startsWith('/api/gms/') ? path.slice('/api/gms'.length) : null;
}
