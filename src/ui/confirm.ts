/** The modal question before something is destroyed, or a token gets where others can read it. Nothing is sent without a yes from here. */
import { warnModal } from './messages.ts';
import type { Paragraph } from './messages.ts';

/** @param yes The button, named after what it does. */
export async function confirm(message: string, detail: readonly Paragraph[], yes: string): Promise<boolean> {
  return (await warnModal(message, detail, yes)) === yes;
}

/**
 * The same question where nothing needs to be destroyed now: the safe answer comes first, has the focus, and is what Enter means.
 * @param no The safe answer. Escape means it too; as a close affordance VS Code would put it last and give the other one the focus.
 */
export async function confirmOrKeep(
  message: string,
  detail: readonly Paragraph[],
  no: string,
  yes: string,
): Promise<boolean> {
  return (await warnModal(message, detail, no, yes)) === yes;
}
