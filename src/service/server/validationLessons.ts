/** What a server's validation errors teach about its schema (PROTOCOL.md §3.6), in the words of either engine. */
import {
  CREATION_BY_DESCRIPTION,
  SPEC_TOKEN_FIELDS,
  type CreationSchema,
  type FilterSchema,
  type ListingSchema,
} from './facts.ts';
import { deniesCreateInput } from './introspection.ts';

/** "Field 'x' in type 'T' is undefined" (graphql-java), "Cannot query field "x" on type "T"" (GraphQL.js). */
const UNKNOWN_FIELD = /(?:Field '(\w+)' in type '\w+' is undefined|Cannot query field "(\w+)")/g;
/**
 * "… contains a field not in 'FacetFilterInput': 'values'", "Field "values" is not defined by type …"; the last is
 * for variables.
 */
const UNKNOWN_INPUT = new RegExp(
  String.raw`(?:contains a field not in '\w+': '(\w+)'|Field "(\w+)" is not defined by type|` +
    String.raw`contains a field name '(\w+)' that is not defined)`,
  'g',
);
/** "… is missing required fields '[value]'", "Field "FacetFilterInput.value" of required type "String!" …". */
const MISSING_INPUT = /(?:missing required fields '\[(\w+)\]'|Field "\w+\.(\w+)" of required type)/g;
/** "… for enum 'FilterOperator' - 'EnumValue{name='EXISTS'}'", "Value "EXISTS" does not exist in "FilterOperator" enum". */
const UNKNOWN_EXISTS = /enum 'FilterOperator' - 'EnumValue\{name='EXISTS'|Value "EXISTS" does not exist/;

/**
 * Learns from validation errors of a listing; undefined if they teach nothing new. Each lesson removes one
 * thing from the request, so learning ends and never widens a listing.
 */
export function fallBackForListing(schema: ListingSchema, complaints: readonly string[]): ListingSchema | undefined {
  const text = complaints.join('\n');
  const fields = capturedNames(text, UNKNOWN_FIELD);
  const inputs = capturedNames(text, UNKNOWN_INPUT);
  if (fields.has('listAccessTokens')) {
    return undefined;
  }
  const { filter } = schema;
  const wantsValue = inputs.has('values') || capturedNames(text, MISSING_INPUT).has('value');
  const hasCondition = filter.hasCondition && !inputs.has('condition');
  const learned: FilterSchema = {
    spelling: wantsValue ? 'value' : filter.spelling,
    hasCondition,
    hasAbsence: filter.hasAbsence && hasCondition && !inputs.has('negated') && !UNKNOWN_EXISTS.test(text),
  };
  const tokenFields = schema.tokenFields.filter((field) => field === 'id' || !fields.has(field));
  if (
    learned.spelling !== filter.spelling ||
    learned.hasCondition !== filter.hasCondition ||
    learned.hasAbsence !== filter.hasAbsence ||
    tokenFields.length < schema.tokenFields.length
  ) {
    return { ...schema, filter: learned, tokenFields };
  }
  // Unknown words: request only what the interface description shows, then only in its spelling.
  const shownBySpec = schema.tokenFields.filter((field) => SPEC_TOKEN_FIELDS.includes(field));
  if (shownBySpec.length < schema.tokenFields.length) {
    return { ...schema, tokenFields: shownBySpec };
  }
  return filter.spelling === 'values'
    ? { ...schema, filter: { spelling: 'value', hasCondition: false, hasAbsence: false } }
    : undefined;
}

/** Learns from validation errors of a creation, for the next one. A creation is never repeated. */
export function fallBackForCreation(schema: CreationSchema, complaints: readonly string[]): CreationSchema | undefined {
  if (deniesCreateInput(complaints) && schema.inputType === 'CreateAccessTokenInput') {
    return CREATION_BY_DESCRIPTION;
  }
  const inputs = capturedNames(complaints.join('\n'), UNKNOWN_INPUT);
  const takesDescription = schema.takesDescription && !inputs.has('description');
  const takesDurationIso = schema.takesDurationIso && !inputs.has('durationIso');
  return takesDescription === schema.takesDescription && takesDurationIso === schema.takesDurationIso
    ? undefined
    : { ...schema, takesDescription, takesDurationIso };
}

function capturedNames(text: string, pattern: RegExp): Set<string> {
  return new Set(
    Array.from(text.matchAll(pattern), (match) => match.slice(1).find((name) => name !== undefined) ?? ''),
  );
}
