/** What is said where the server lists more indices than are read. */
import * as l10n from '@vscode/l10n';
import { language, plural } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';

/** @param leftOut At least one. */
export function leftOutText(leftOut: number): string {
  const count = formatsOf(language()).number(leftOut);
  return plural(
    leftOut,
    l10n.t("{0} more index on the server isn't listed here", count),
    l10n.t("{0} more indices on the server aren't listed here", count),
  );
}
