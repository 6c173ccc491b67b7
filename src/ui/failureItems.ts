/** A failure in a list to pick from: the reason in a few words first, then the whole of it in lines that are not cut off. */
import type { ServiceFailure } from '../service/failure/failure.ts';
import type { PickItem } from './quickPick.ts';
import { wrapped } from './wrappedText.ts';

/** None of the items stands for anything; each is shown whatever is typed. */
export function failureItems({ headline, message, next }: ServiceFailure): PickItem[] {
  return [
    { icon: 'error', label: headline, alwaysShow: true },
    ...linesOf('info', message),
    ...(next === undefined ? [] : linesOf('lightbulb', next)),
  ];
}

/** The icon stands in front of the first line; those below it are indented as much. */
function linesOf(icon: string, text: string): PickItem[] {
  return wrapped(text).map((label, line) => ({ icon: line === 0 ? icon : 'blank', label, alwaysShow: true }));
}
