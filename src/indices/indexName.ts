/** Which names an entity type or aspect may have. */
import * as l10n from '@vscode/l10n';

/**
 * Names are sent as they are spelled. A wildcard, a slash or a comma would reach further than one index,
 * so only what an entity type or aspect can be made of is let through.
 */
const NAME = /^[A-Za-z][A-Za-z0-9_.-]*$/;

/** Why a name cannot be an entity type or aspect, or undefined when it can. */
export function nameProblem(name: string, what: 'entityType' | 'aspect'): string | undefined {
  const trimmed = name.trim();
  if (trimmed === '') {
    return what === 'entityType'
      ? l10n.t('Enter the entity type, for example dataset.')
      : l10n.t('Enter the aspect, for example datasetprofile.');
  }
  return NAME.test(trimmed)
    ? undefined
    : l10n.t(
        "Names start with a letter and can contain letters, digits, dots, hyphens and underscores. Wildcards and slashes aren't allowed.",
      );
}
