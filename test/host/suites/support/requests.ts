import type { LoggedRequest } from '../../../service/requestLog.ts';
import { callService } from '../../context.ts';
import type { HostService } from '../../environment.ts';

/** Requests with this text in path or body, oldest first. */
export async function requestsWith(service: HostService, text: string): Promise<readonly LoggedRequest[]> {
  const requests = await callService(service, 'requests');
  return requests.filter(({ path, body }) => path.includes(text) || body.includes(text));
}

/** Removes faults and logged requests from a service between tests. */
export async function calm(service: HostService): Promise<void> {
  await callService(service, 'clearFaults');
  await callService(service, 'clearRequests');
}

/** Answers each request with this text like this, until `calm`. @param body None by default. */
export function answerWith(service: HostService, text: string, status: number, body?: object): Promise<void> {
  const written = body && { body: JSON.stringify(body), contentType: 'application/json' };
  return callService(service, 'addFault', {
    fault: { kind: 'status', status, ...written },
    match: text,
    times: 'always',
  });
}

export function variablesOf({ body }: LoggedRequest): Readonly<Record<string, unknown>> {
  return (JSON.parse(body) as { variables: Record<string, unknown> }).variables;
}
