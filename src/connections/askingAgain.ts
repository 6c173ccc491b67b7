/** Repeats a question whose yes came too late: the gate refused what the user agreed to. */
import { ServiceFailure } from '../service/failure/failure.ts';
import { showInformation } from '../ui/messages.ts';
import type { Connection } from './connection.ts';

/**
 * Asks and sends. If the gate refuses, says why and asks again, once.
 * @param admit Returns the connection to ask about, or refuses before any question.
 */
export async function askingAgain<T>(
  admit: () => Promise<Connection>,
  askAndSend: (agreed: Connection) => Promise<T>,
): Promise<T> {
  const first = await admit();
  try {
    return await askAndSend(first);
  } catch (thrown) {
    if (!(thrown instanceof ServiceFailure) || thrown.kind !== 'notSent') {
      throw thrown;
    }
    const second = await admit();
    void showInformation(thrown.naming(second.name).message);
    return askAndSend(second);
  }
}
