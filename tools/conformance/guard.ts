import { Kind, parse, type DefinitionNode } from 'graphql';
import { ServiceFailure } from '../../src/service/failure/failure.ts';
import { REVOKE_DOCUMENT } from '../../src/service/tokens/tokens.ts';
import { creationDocument } from '../../src/service/tokens/tokenCreation.ts';
import { isRecord, parseJson } from '../json.ts';

/** Refuses every request that could delete rows or change another user's token, below the client. */
export interface RequestGuard {
  readonly fetch: typeof globalThis.fetch;
  /** Allows revoking the token with this ID. */
  own(tokenId: string): void;
}

/** The token that may be created, once. */
export interface AllowedToken {
  readonly name: string;
  /** Undefined until the user is known, and creation allowed. */
  actorUrn: string | undefined;
}

/** An action that no server has. */
export const UNKNOWN_ACTION = 'conformanceNoSuchAction';

const READING_ACTIONS: ReadonlySet<string> = new Set(['getIndexSizes', 'getEsTaskStatus', UNKNOWN_ACTION]);
const CREATIONS: ReadonlySet<string> = new Set(
  (['CreateAccessTokenInput', 'GetAccessTokenInput'] as const).map((inputType) => creationDocument({ inputType })),
);
const READING_PATH = /\/(?:config|elasticSearch\/getIndexSizes|elasticSearch\/getTaskStatus)$/;
const OPERATIONS_PATH = /\/operations$/;
const GRAPHQL_PATH = /\/api\/graphql$/;

/** @param token undefined forbids every change. @param fetch sends the requests that are allowed */
export function guardRequests(token: AllowedToken | undefined, fetch: typeof globalThis.fetch): RequestGuard {
  const own = new Set<string>();
  let created = false;

  const checkGraphQL = (body: string): void => {
    const { query, variables } = recordIn(body);
    if (typeof query !== 'string') throw forbidden();
    if (parse(query).definitions.every(isQuestion)) return;
    // Compares whole documents, which could use variables differently.
    if (token !== undefined && !created && CREATIONS.has(query) && isAllowedCreation(token, variables)) {
      created = true;
      return;
    }
    const tokenId = isRecord(variables) ? variables['tokenId'] : undefined;
    if (token === undefined || query !== REVOKE_DOCUMENT || typeof tokenId !== 'string' || !own.has(tokenId))
      throw forbidden();
  };

  const check = (url: URL, method: string, body: string): void => {
    if (method === 'GET' && READING_PATH.test(url.pathname)) return;
    if (method === 'POST' && GRAPHQL_PATH.test(url.pathname) && url.search === '') {
      checkGraphQL(body);
      return;
    }
    const action = url.searchParams.get('action') ?? '';
    const isAction = method === 'POST' && OPERATIONS_PATH.test(url.pathname) && [...url.searchParams].length === 1;
    const isDryRun = action === 'truncateTimeseriesAspect' && recordIn(body)['dryRun'] === true;
    if (!isAction || !(READING_ACTIONS.has(action) || isDryRun)) throw forbidden();
  };

  return {
    own: (tokenId) => void own.add(tokenId),
    fetch: async (input, init = {}) => {
      const { text, sent } = await readBody(init.body);
      check(new URL(input instanceof Request ? input.url : input), init.method ?? 'GET', text);
      return fetch(input, { ...init, ...(sent === undefined ? {} : { body: sent }) });
    },
  };
}

function isQuestion(definition: DefinitionNode): boolean {
  return definition.kind === Kind.OPERATION_DEFINITION && definition.operation === 'query';
}

function isAllowedCreation({ name, actorUrn }: AllowedToken, variables: unknown): boolean {
  const input = isRecord(variables) ? variables['input'] : undefined;
  return (
    isRecord(input) &&
    actorUrn !== undefined &&
    input['type'] === 'PERSONAL' &&
    input['name'] === name &&
    input['actorUrn'] === actorUrn &&
    input['duration'] === 'ONE_HOUR'
  );
}

/** Refuses duplicate names, because servers could take either value. */
function recordIn(body: string): Readonly<Record<string, unknown>> {
  const parsed = parseJson(body);
  if (!isRecord(parsed) || JSON.stringify(parsed) !== body) throw forbidden();
  return parsed;
}

/**
 * The text of a body, and a body that can still be sent: a stream stays a stream, so that no network stack sends it
 * twice.
 */
async function readBody(
  body: BodyInit | null | undefined,
): Promise<{ readonly text: string; readonly sent: BodyInit | undefined }> {
  if (body === null || body === undefined) {
    return { text: '', sent: undefined };
  }
  if (typeof body === 'string') {
    return { text: body, sent: body };
  }
  if (!(body instanceof ReadableStream)) throw forbidden();
  const [read, sent] = body.tee();
  return { text: await new Response(read).text(), sent };
}

/** `readOnly` never becomes a finding, since this is a defect of this program. */
function forbidden(): ServiceFailure {
  return new ServiceFailure('readOnly', 'This request could change something on the server, so it was not sent.');
}
