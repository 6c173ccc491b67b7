/** Possible meanings of a pasted address, since users copy that of any page, or of the interface. */
import { tokenElsewhereProblem } from '../failure/redaction.ts';
import { checkBaseUrl, LONGEST_ADDRESS, withoutQuotes } from './baseUrl.ts';

/** A path of the interface below which the whole service may be, if a gateway takes it off. */
const OWN_PATH = /((?:\/api)?\/gms)(?:\/operations)?\/*$/i;

/** First path segments of the web front end's pages, in lower case: users copy the address of any page. */
const PAGE_PATHS: ReadonlySet<string> = new Set(
  (
    'analytics assets authenticate automations browse business-attribute chart container dashboard dataproduct ' +
    'dataset datasets domain domains embed features featuretables glossary glossarynode glossaryterm govern group ' +
    'identities ingestion introduce login mlmodelgroup mlmodels notebook observe openapi permissions pipelines ' +
    'policies requests reset schemafield search settings signup structured-properties tag tasks tests user'
  ).split(' '),
);

/**
 * Lists possible meanings of a pasted text, the likeliest first: the part before a page, the address itself,
 * with a path that may be the service's own, and its origin alone.
 */
export function candidateAddresses(text: string): readonly string[] | { readonly problem: string } {
  const address = withoutQuotes(text);
  const problem = tokenElsewhereProblem(address);
  const typed = problem === undefined ? checkBaseUrl(address) : { problem };
  const before = address.length > LONGEST_ADDRESS ? undefined : addressBeforePage(address);
  if ('problem' in typed) {
    return before === undefined ? typed : [before];
  }
  const { baseUrl } = typed;
  // With a path that `checkBaseUrl` takes off, although it may be the service's own.
  const [, ownPath = ''] = OWN_PATH.exec(address.replace(/[?#].*/s, '')) ?? [];
  const whole = baseUrl + ownPath;
  return [...new Set(before === undefined ? [baseUrl, whole, new URL(baseUrl).origin] : [before, baseUrl, whole])];
}

/** Undefined for an unknown page. Query and fragment of a page say nothing about the service. */
function addressBeforePage(text: string): string | undefined {
  const typed = checkBaseUrl(text.replace(/[?#].*/s, ''));
  if ('problem' in typed) {
    return undefined;
  }
  const { origin, pathname } = new URL(typed.baseUrl);
  const segments = pathname.split('/');
  const page = segments.findIndex((segment) => PAGE_PATHS.has(segment.toLowerCase()));
  if (page === -1) {
    return undefined;
  }
  const before = checkBaseUrl(origin + segments.slice(0, page).join('/'));
  return 'problem' in before ? undefined : before.baseUrl;
}
