/** Which names an entity type or aspect may have. */
import * as l10n from '@vscode/l10n';
import { tokenElsewhereProblem } from '../service/pastedToken.ts';

/** An index as a truncation names it. */
export interface IndexTarget {
  readonly entityType: string;
  readonly aspect: string;
}

/**
 * Names are sent as they are spelled. A wildcard, a slash or a comma would reach further than one index,
 * so only what an entity type or aspect can be made of is let through.
 */
const NAME = /^[A-Za-z][A-Za-z0-9_.-]*$/;

/** In characters: no index has a longer name, and that of an index holds both. */
const LONGEST_NAME = 255;

/** Whether a listed or stored name is valid as an entity type or aspect. */
export function isIndexName(name: string): boolean {
  return NAME.test(name.trim()) && name.trim().length <= LONGEST_NAME;
}

/** Why a name cannot be an entity type or aspect, or undefined when it can. */
export function nameProblem(name: string, what: 'entityType' | 'aspect'): string | undefined {
  const trimmed = name.trim();
  if (trimmed === '') {
    return what === 'entityType'
      ? l10n.t('Enter the entity type, for example dataset.')
      : l10n.t('Enter the aspect, for example datasetprofile.');
  }
  if (!NAME.test(trimmed)) {
    return l10n.t(
      "Names start with a letter and can contain letters, digits, dots, hyphens and underscores. Wildcards and slashes aren't allowed.",
    );
  }
  const isTooLong = trimmed.length > LONGEST_NAME;
  return (
    tokenElsewhereProblem(trimmed) ??
    (isTooLong ? l10n.t('At most {0} characters. This has {1}.', LONGEST_NAME, trimmed.length) : undefined)
  );
}
