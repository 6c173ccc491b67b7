import { readFileSync } from 'node:fs';
import type { ProfileName } from '../service/profiles.ts';
import type { ServiceControl } from './control.ts';
import { HOST_VARIABLES, type HostContext, type HostService } from './environment.ts';

/** For suites: a service that runs outside this extension host. */
export function hostService(profile: ProfileName = 'next'): HostService {
  const file = process.env[HOST_VARIABLES.context];
  if (file === undefined)
    throw new Error(`${HOST_VARIABLES.context} is not set: run the suites through tools/run/hostEngines.ts.`);
  return (JSON.parse(readFileSync(file, 'utf8')) as HostContext).services[profile];
}

/**
 * For suites: inspects a service, or makes it misbehave.
 *
 * @throws with the service's words if it cannot do so
 */
export async function callService<Name extends keyof ServiceControl>(
  service: HostService,
  call: Name,
  ...values: Parameters<ServiceControl[Name]>
): Promise<ReturnType<ServiceControl[Name]>> {
  const response = await fetch(service.controlUrl, {
    method: 'POST',
    body: JSON.stringify({ call, arguments: values }),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json() as Promise<ReturnType<ServiceControl[Name]>>;
}
