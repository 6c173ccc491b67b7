/**
 * The local service against recorded exchanges: its responses must have the same shape. So it and the client can't
 * make the same mistake unnoticed.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isTaskId } from '../../../../src/service/indices/truncationRequest.ts';
import type { RunningService } from '../../../service/main.ts';
import { isRecord, parseJson } from '../../../../tools/json.ts';
import { serviceFor } from '../../../service/testClient.ts';
import { CREDENTIAL } from '../clients.ts';
import { filled, wireFixtures, type PlaceholderValues, type StandIn, type WireRequest } from './wireFixture.ts';

async function send(
  baseUrl: string,
  { method, path, headers, body }: WireRequest,
): Promise<{ status: number; text: string }> {
  const response = await fetch(baseUrl + path, { method, headers, ...(body === '' ? {} : { body }) });
  return { status: response.status, text: await response.text() };
}

/** Values of the placeholders on that service, after creating the token or task that the fixture requires. */
async function valuesFor(
  service: RunningService,
  { user, given, withMadeUpToken }: StandIn,
): Promise<PlaceholderValues> {
  const { urn, token } = service.users[user];
  const issued =
    given === 'token' || given === 'lasting token'
      ? service.issueToken({
          name: 'my personal token',
          description: 'ci',
          actorUrn: urn,
          ownerUrn: urn,
          expiresAt: given === 'token' ? Date.now() + 3_600_000 : null,
        })
      : undefined;
  if (given === 'task') {
    const plan = { entityType: 'dataset', aspect: 'datasetusagestatistics', endTimeMillis: 0, dryRun: false };
    await send(service.url, {
      method: 'POST',
      path: '/operations?action=truncateTimeseriesAspect',
      headers: {
        authorization: `Bearer ${service.adminToken}`,
        'content-type': 'application/json',
        'x-datahub-actor': service.users.admin.urn,
      },
      body: JSON.stringify(plan),
    });
  }
  return {
    ACCESS_TOKEN: withMadeUpToken ? CREDENTIAL : token,
    ME: urn,
    TOKEN_ID: issued?.record.id ?? 'none',
    TASK_ID: service.tasks().at(-1)?.id ?? 'none',
  };
}

const REPORT =
  /^Delete \d+ out of \d+ rows \([^)]*%\)\. (?:Reindexing the aspect without the deleted records|Issuing a delete by query request)\. This was a dry run\. Run with dryRun = false to execute\.$/;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Classifies a text by the words of the protocol, and parses JSON in it. */
function shapeOfText(text: string): unknown {
  const inner = parseJson(text);
  if (typeof inner === 'object') {
    return { jsonText: shapeOf(inner) };
  }
  if (REPORT.test(text)) {
    return 'a report';
  }
  return isTaskId(text) ? 'a task id' : UUID.test(text) ? 'a UUID' : 'a text';
}

/** Lists whose elements say something by themselves. */
const NAMED: ReadonlySet<string> = new Set(['errors', 'fields', 'inputFields', 'enumValues']);

/** Shape of a value: its keys and types, the first element of a list, and the parts of an error that clients use. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') {
    return shapeOfText(value);
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? [] : [shapeOf(value[0])];
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([key, inner]) => [key, NAMED.has(key) ? wordOf(inner) : shapeOf(inner)]),
    );
  }
  return value === null ? null : typeof value;
}

/** Significant words of a list: the extensions of errors, and the names in a schema. */
function wordOf(list: unknown): unknown {
  const words = (list as { extensions?: unknown; name?: unknown }[]).map(({ extensions, name }) =>
    JSON.stringify(extensions ?? name),
  );
  return [...new Set(words)].toSorted();
}

/** Shape of a body: of its JSON, or what else it is, a page with its title. */
function shapeOfBody(text: string): unknown {
  const body = parseJson(text);
  const [, title] = /<title>(.*)<\/title>/.exec(text) ?? [];
  return body === undefined ? (title ?? (text === '' ? 'nothing' : 'a sentence')) : shapeOf(body);
}

function messagesIn(text: string): string[] {
  const body = parseJson(text);
  const { errors, message, error } = isRecord(body) ? body : {};
  const told = Array.isArray(errors) ? errors.map((each) => (isRecord(each) ? each['message'] : undefined)) : [];
  return [...told, message, error].filter((word) => typeof word === 'string');
}

test('Each exchange says in its first lines what it is and how it is known', () => {
  for (const { name, notes } of wireFixtures().values()) {
    assert.ok(notes.length > 0 && notes.every((note) => note.length > 20), name);
  }
});

suite('The local service matches the recorded exchange', () => {
  for (const [name, fixture] of wireFixtures()) {
    for (const standIn of fixture.standIns) {
      const { profile, user, given, throughFront, operationsPath, authentication, introspection } = standIn;
      const caller = given === undefined ? user : `${user} with a ${given}`;
      test(`${name}, ${profile} by ${caller}${throughFront ? ' through the front' : ''}`, async (context) => {
        const service = await serviceFor(context, {
          profile,
          lagMillis: 0,
          ...(introspection ? {} : { introspection }),
          ...(authentication === undefined ? {} : { authentication }),
        });
        const here = filled(fixture, await valuesFor(service, standIn));
        for (const { request, response } of here.exchanges) {
          const path = operationsPath === undefined ? request.path : request.path.replace(/^[^?]*/, operationsPath);
          const { status, text } = await send(throughFront ? service.frontUrl : service.url, { ...request, path });
          assert.equal(status, response.status, text);
          assert.deepEqual(shapeOfBody(text), shapeOfBody(response.body));
          if (!fixture.notes.some((note) => note.includes('text differs by version'))) {
            // Engines report different numbers of mistakes in one document. None that a client learns from may be
            // missing.
            const told = messagesIn(text);
            assert.deepEqual(
              messagesIn(response.body).filter((message) => !told.includes(message)),
              [],
              text,
            );
          }
        }
      });
    }
  }
});
