/**
 * The words of the protocol's own sentences. `service/` and the pure parts of `truncation/` import no vscode, so the
 * translation is handed in once, at activation; without it the sentences are English.
 */

/** A placeholder's value. */
type Argument = string | number | boolean;

/** Fills `{0}`, `{1}` … as `vscode.l10n.t` does. */
export type Translate = (message: string, ...values: Argument[]) => string;

let translate: Translate = (message, ...values) =>
  message.replace(/\{(\d+)\}/g, (placeholder, index: string) => String(values[Number(index)] ?? placeholder));

/** Same shape as `vscode.l10n`, so that the extraction of messages finds these calls too. */
export const l10n = {
  t: (message: string, ...values: Argument[]): string => translate(message, ...values),
};

/**
 * Called once, by `activate()`.
 * @returns the translation that was in use until now
 */
export function useTranslation(next: Translate): Translate {
  const before = translate;
  translate = next;
  return before;
}
