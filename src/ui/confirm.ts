/** The modal question before something is destroyed, or a token gets where others can read it. Nothing is sent without a yes from here. */
import { warnModal } from './messages.ts';
import type { Paragraph } from './messages.ts';

/** @param yes The button, named after what it does. */
export async function confirm(message: string, detail: readonly Paragraph[], yes: string): Promise<boolean> {
  return (await warnModal(message, detail, yes)) === yes;
}
