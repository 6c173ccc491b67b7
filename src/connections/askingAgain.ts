/** Repeats a question whose yes came too late: the gate refused what the user agreed to. */
import { ServiceFailure } from '../service/failure/failure.ts';
import { showInformation } from '../ui/messages.ts';

/**
 * Asks and sends. If the gate refuses, says why and asks again, once.
 * @param askAndSend Asks in the connection's current role.
 */
export async function askingAgain<T>(askAndSend: () => Promise<T>): Promise<T> {
  try {
    return await askAndSend();
  } catch (thrown) {
    if (!(thrown instanceof ServiceFailure) || thrown.kind !== 'notSent') {
      throw thrown;
    }
    void showInformation(thrown.message);
    return askAndSend();
  }
}
