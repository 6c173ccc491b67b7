/** A service of tokens for one test, with the test's responses in sequence. */
import type { TestContext } from 'node:test';
import type { MetadataService } from '../../../src/service/service.ts';
import { KNOWN_PLACE, SCHEMA_OF_1_6, recordedPauses, serviceAt, type SchemaFacts } from './clients.ts';
import { reply, wireServer, type SeenRequest, type WireServer } from './wireServer.ts';

/** A GraphQL response that refuses with this code. */
export const refusal = (code: number, message = 'no'): object => ({
  errors: [{ message, path: ['x'], extensions: { code } }],
  data: null,
});
/** A GraphQL response that rejects the document. */
export const invalid = (...messages: string[]): object => ({
  errors: messages.map((message) => ({ message, extensions: { classification: 'ValidationError' } })),
  data: null,
});

export interface Asked {
  readonly service: MetadataService;
  readonly server: WireServer;
  readonly pauses: readonly number[];
  /** GraphQL bodies of all requests. */
  readonly sent: () => { readonly query: string; readonly variables: Record<string, unknown> }[];
}

/** A service with these responses in sequence, the last one repeated. */
export async function answering(
  context: TestContext,
  answers: readonly (object | ((request: SeenRequest) => object))[],
  schema: Partial<SchemaFacts> | 'unknown' = SCHEMA_OF_1_6,
): Promise<Asked> {
  let next = 0;
  const server = await wireServer(context, (request, response) => {
    const answer = answers[Math.min(next++, answers.length - 1)] ?? {};
    reply(response, 200, typeof answer === 'function' ? (answer as (seen: SeenRequest) => object)(request) : answer);
  });
  const { pauses, pause } = recordedPauses();
  const service = serviceAt(server.url, {
    knownFacts: { ...KNOWN_PLACE, ...(schema === 'unknown' ? {} : schema) },
    pause,
  });
  return {
    service,
    server,
    pauses,
    sent: () => server.requests.map(({ body }) => JSON.parse(body) as ReturnType<Asked['sent']>[number]),
  };
}
