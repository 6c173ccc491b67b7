import { authenticate, UNAUTHORIZED } from './authentication.ts';
import { containerError, json, type Call, type Reply } from './http.ts';
import { holdsPrivilege, mayOperate } from './operations.ts';
import type { Platform } from './platform.ts';
import { megabytes } from './sizeFigures.ts';
import { isTaskId, taskStatusText } from './taskStatus.ts';

/** OpenAPI equivalents of the operations (truncation has none) and the caller's own URN. Null for any other path. */
export async function callOpenApi(platform: Platform, call: Call): Promise<Reply | null> {
  const endpoint = endpoints[call.path];
  if (!endpoint || call.method !== 'GET') {
    return null;
  }
  const actor = authenticate(platform, call, 'operations');
  return actor === null ? containerError(platform.profile, call, 401, UNAUTHORIZED) : endpoint(platform, call, actor);
}

type Endpoint = (platform: Platform, call: Call, actor: Parameters<typeof mayOperate>[1]) => Reply | Promise<Reply>;

const endpoints: Readonly<Record<string, Endpoint>> = {
  '/openapi/operations/elasticSearch/getIndexSizes': async (platform, _call, actor) => {
    if (!mayOperate(platform, actor, 'getIndexSizes')) {
      return plain(403, `${actor.urn} is not authorized to get timeseries index sizes`);
    }
    const sizes = (await platform.timeseries.store.sizes()).map(({ indexName, names, bytes }) => ({
      aspectName: names?.aspect,
      entityName: names?.entity,
      indexName,
      sizeMb: megabytes(bytes),
    }));
    return json(200, { sizes });
  },

  '/openapi/operations/elasticSearch/getTaskStatus': async (platform, call, actor) => {
    // Unlike for the action and the sizes, the privilege for system operations does not suffice.
    if (!holdsPrivilege(platform, actor, 'getEsTaskStatus')) {
      return plain(403, `${actor.urn} is not authorized to get ElasticSearch task status`);
    }
    const id = call.query.get('task') ?? '';
    if (!isTaskId(id)) {
      return plain(400, `Task ID should be in the form nodeId:taskId e.g. aB1cdEf2GHI-JKLMnoPQr3:123456 (got ${id})`);
    }
    const task = await platform.timeseries.store.task(id);
    return task
      ? { status: 200, headers: { 'content-type': 'application/json' }, body: taskStatusText(task) }
      : plain(500, `Could not get task status for ${id}`);
  },

  '/openapi/operations/identity/user/urn': (_platform, _call, actor) => json(200, { urn: actor.urn }),
};

/** A sentence that calls itself JSON, as these endpoints do. */
function plain(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body };
}
