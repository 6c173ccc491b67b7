/** What is said where the server lists more indices than are read. */
import * as l10n from '@vscode/l10n';

/** @param leftOut At least one. */
export function leftOutText(leftOut: number): string {
  return leftOut === 1
    ? l10n.t("1 more index on the server isn't listed here")
    : l10n.t("{0} more indices on the server aren't listed here", leftOut);
}
