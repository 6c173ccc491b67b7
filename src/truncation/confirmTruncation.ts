/** Asks the person before rows are deleted. */
import { confirmTruncation as ask } from '../ui/confirm.ts';
import { truncationQuestion } from './truncationQuestion.ts';
import type { Confirmation } from './runParts.ts';

export function confirmTruncation({ connection, review, caution, timeZone }: Confirmation): Promise<boolean> {
  return ask(truncationQuestion(connection, review, caution, timeZone));
}
