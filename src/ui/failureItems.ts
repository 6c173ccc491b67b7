/** Sentences in a list to pick from: in lines that are not cut off, as one item each. */
import type { ServiceFailure } from '../service/failure/failure.ts';
import type { PickItem } from './quickPick.ts';
import { wrapped } from './wrappedText.ts';

/** A failure: the reason in a few words first, then the whole of it. None of the items stands for anything. */
export function failureItems({ headline, message, next }: ServiceFailure): PickItem[] {
  return [
    { icon: 'error', label: headline, alwaysShow: true },
    ...lineItems('info', message),
    ...(next === undefined ? [] : lineItems('lightbulb', next)),
  ];
}

/** The icon stands in front of the first line; those below it are indented as much. Each is shown whatever is typed. */
function lineItems(icon: string, text: string): PickItem[] {
  return wrapped(text).map((label, line) => ({ icon: line === 0 ? icon : 'blank', label, alwaysShow: true }));
}
