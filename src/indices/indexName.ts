/** Index names: validation, spelling, and equality. Pure. */
import * as l10n from '@vscode/l10n';
import { tokenElsewhereProblem } from '../service/failure/redaction.ts';

/** An index as truncations name it. The search cluster uses another name. */
export interface IndexName {
  readonly entityType: string;
  readonly aspect: string;
}

/** A listed index; servers may report neither part, or one. */
interface PartialIndexName {
  readonly entityType: string | undefined;
  readonly aspect: string | undefined;
}

/** Names are sent as spelled. Wildcards, slashes and commas could reach other indices, so they are invalid. */
const ALLOWED = /^[A-Za-z][A-Za-z0-9_.-]*$/;

/** In characters. No index name is longer, and it contains both parts. */
const LONGEST_NAME = 255;

/** `dataset/datasetprofile`, as spelled: for the user to read and type. */
export function indexNameText({ entityType, aspect }: IndexName): string {
  return `${entityType}/${aspect}`;
}

/** Equal for all spellings of an index: search clusters use lower case. */
export function indexNameKey(name: IndexName): string {
  return indexNameText(name).toLowerCase();
}

/** True for two spellings of one index. */
export function isSameIndex(one: IndexName, other: IndexName): boolean {
  return indexNameKey(one) === indexNameKey(other);
}

/** True if spelled alike. PostgreSQL distinguishes spellings, so counts and drafts do too. */
export function hasSameSpelling(one: IndexName, other: IndexName): boolean {
  return indexNameText(one) === indexNameText(other);
}

/** Name of a listed index; undefined unless both parts are reported. */
export function indexNameOf({ entityType, aspect }: PartialIndexName): IndexName | undefined {
  return entityType === undefined || aspect === undefined ? undefined : { entityType, aspect };
}

/** Why a text can't be an entity type or aspect; undefined if it can. */
export function indexNameProblem(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') {
    return l10n.t('Enter a value.');
  }
  if (!ALLOWED.test(trimmed)) {
    return l10n.t(
      "Names start with a letter and can contain letters, digits, dots, hyphens and underscores. Wildcards and slashes aren't allowed.",
    );
  }
  const isTooLong = trimmed.length > LONGEST_NAME;
  return (
    tokenElsewhereProblem(trimmed) ??
    (isTooLong ? l10n.t('At most {0} characters. You entered {1}.', LONGEST_NAME, trimmed.length) : undefined)
  );
}
