/** Names of indices: which are valid, how they are written, and which mean the same index. Pure. */
import * as l10n from '@vscode/l10n';
import { tokenElsewhereProblem } from '../service/failure/pastedToken.ts';

/** An index as a truncation names it. Its name on the search cluster is another one. */
export interface IndexName {
  readonly entityType: string;
  readonly aspect: string;
}

/** A listed index: some servers report no names, or only one of them. */
interface PartialIndexName {
  readonly entityType: string | undefined;
  readonly aspect: string | undefined;
}

/**
 * Names are sent as they are spelled. A wildcard, a slash or a comma would reach further than one index,
 * so only characters of entity types and aspects are allowed.
 */
const ALLOWED = /^[A-Za-z][A-Za-z0-9_.-]*$/;

/** In characters: no index has a longer name, and that of an index holds both. */
const LONGEST_NAME = 255;

/** `dataset/datasetprofile`, in the spelling given: for the user to read and to type. */
export function indexNameText({ entityType, aspect }: IndexName): string {
  return `${entityType}/${aspect}`;
}

/** The same for all spellings of an index: servers with a search cluster write its name in lower case. */
export function indexNameKey(name: IndexName): string {
  return indexNameText(name).toLowerCase();
}

/** True for two spellings of one index. */
export function isSameIndex(one: IndexName, other: IndexName): boolean {
  return indexNameKey(one) === indexNameKey(other);
}

/** True for one spelling. PostgreSQL tells spellings apart, so counts and drafts of one are not those of another. */
export function hasSameSpelling(one: IndexName, other: IndexName): boolean {
  return indexNameText(one) === indexNameText(other);
}

/** The name of a listed index; undefined where the server does not report both parts. */
export function indexNameOf({ entityType, aspect }: PartialIndexName): IndexName | undefined {
  return entityType === undefined || aspect === undefined ? undefined : { entityType, aspect };
}

/** True for an entity type or aspect as listed or stored. */
export function isIndexNamePart(text: string): boolean {
  return ALLOWED.test(text.trim()) && text.trim().length <= LONGEST_NAME;
}

/** Why a text cannot be an entity type or aspect; undefined if it can. */
export function indexNameProblem(text: string, part: keyof IndexName): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') {
    return part === 'entityType'
      ? l10n.t('Enter the entity type, for example dataset.')
      : l10n.t('Enter the aspect, for example datasetprofile.');
  }
  if (!ALLOWED.test(trimmed)) {
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
