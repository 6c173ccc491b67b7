/** What trying a connection finds out, before it is saved and after. */
import type { Rights } from '../service/server/privileges.ts';
import type { ConnectionCheck, Service } from '../service/service.ts';

interface ServerCheck {
  readonly check: ConnectionCheck;
  /** Where they were asked for, and the server tells. */
  readonly rights: Rights | undefined;
}

/** @throws {ServiceFailure} where the server can't be used; not being told the rights is none. */
export async function checkServer(service: Service, signal: AbortSignal): Promise<ServerCheck> {
  const check = await service.check(signal);
  // Where nobody says who we are, nobody says what we may do either.
  const rights = check.identity === undefined ? undefined : await service.rights(signal).catch(() => undefined);
  return { check, rights };
}
