/**
 * What a server's validation errors teach about its schema. A document that does not fit executes nothing, so it may teach; each
 * lesson only takes something away that was asked for too much, so learning ends, and none can widen a listing.
 */
import { SPEC_TOKEN_FIELDS } from './schema.ts';
import type { SchemaFacts } from './schema.ts';

/** "Field 'x' in type 'T' is undefined" (graphql-java), "Cannot query field "x" on type "T"" (GraphQL.js). */
const UNKNOWN_FIELD = /(?:Field '(\w+)' in type '\w+' is undefined|Cannot query field "(\w+)")/g;
/** "… contains a field not in 'FacetFilterInput': 'values'", "Field "values" is not defined by type …"; the last is of variables. */
const UNKNOWN_INPUT =
  /(?:contains a field not in '\w+': '(\w+)'|Field "(\w+)" is not defined by type|contains a field name '(\w+)' that is not defined)/g;
/** "… is missing required fields '[value]'", "Field "FacetFilterInput.value" of required type "String!" was not provided". */
const MISSING_INPUT = /(?:missing required fields '\[(\w+)\]'|Field "\w+\.(\w+)" of required type)/g;
const UNKNOWN_TYPE = /Unknown ?type '?"?(\w+)/gi;

/** What a listing's validation errors teach, or undefined when they teach nothing new. */
export function fallBackForListing(schema: SchemaFacts, complaints: readonly string[]): SchemaFacts | undefined {
  const text = complaints.join('\n');
  const fields = namesIn(text, UNKNOWN_FIELD);
  const inputs = namesIn(text, UNKNOWN_INPUT);
  if (fields.has('listAccessTokens')) {
    return undefined;
  }
  let learned = schema;
  const wantsValue = inputs.has('values') || namesIn(text, MISSING_INPUT).has('value');
  if (wantsValue && schema.filterSpelling === 'values') {
    learned = { ...learned, filterSpelling: 'value' };
  }
  if (inputs.has('condition') && schema.filterHasCondition) {
    learned = { ...learned, filterHasCondition: false };
  }
  const tokenFields = learned.tokenFields.filter((field) => field === 'id' || !fields.has(field));
  if (tokenFields.length < learned.tokenFields.length) {
    learned = { ...learned, tokenFields };
  }
  if (learned !== schema) {
    return learned;
  }
  // Said in words we do not know: ask for no more than the interface description shows, then in no other way than it shows.
  const shownBySpec = schema.tokenFields.filter((field) => SPEC_TOKEN_FIELDS.includes(field));
  if (shownBySpec.length < schema.tokenFields.length) {
    return { ...schema, tokenFields: shownBySpec };
  }
  return schema.filterSpelling === 'values'
    ? { ...schema, filterSpelling: 'value', filterHasCondition: false }
    : undefined;
}

/** What the validation errors of a creation teach for the next one: a creation itself is never repeated. */
export function fallBackForCreation(schema: SchemaFacts, complaints: readonly string[]): SchemaFacts | undefined {
  const text = complaints.join('\n');
  const inputs = namesIn(text, UNKNOWN_INPUT);
  if (
    namesIn(text, UNKNOWN_TYPE).has('CreateAccessTokenInput') &&
    schema.createInputType === 'CreateAccessTokenInput'
  ) {
    return {
      ...schema,
      createInputType: 'GetAccessTokenInput',
      createTakesDescription: false,
      createTakesDurationIso: false,
    };
  }
  let learned = schema;
  if (inputs.has('description') && schema.createTakesDescription) {
    learned = { ...learned, createTakesDescription: false };
  }
  if (inputs.has('durationIso') && schema.createTakesDurationIso) {
    learned = { ...learned, createTakesDurationIso: false };
  }
  return learned === schema ? undefined : learned;
}

function namesIn(text: string, pattern: RegExp): Set<string> {
  return new Set(
    Array.from(text.matchAll(pattern), (match) => match.slice(1).find((name) => name !== undefined) ?? ''),
  );
}
