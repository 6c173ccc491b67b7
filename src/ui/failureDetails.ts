/** A failure as text for a ticket: everything that helps, nothing secret. */
import type { Connection } from '../connections/connection.ts';
import type { ServiceFailure } from '../service/failure.ts';

export function failureDetails(failure: ServiceFailure, connection?: Connection): string {
  const facts: [string, string | number | undefined][] = [
    ['What happened', failure.message],
    ['Next step', failure.next],
    ['Operation', failure.operation],
    ['Kind', failure.kind],
    ['HTTP status', failure.status],
    ['Server says', failure.serverText],
    ['Missing privilege', failure.privilege],
    ['Server', connection?.baseUrl],
    ['Actor', connection?.actorUrn],
    ['Time', new Date().toISOString()],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`])).join('\n');
}
