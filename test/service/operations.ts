import { parseJson } from '../../tools/json.ts';
import { authenticate, UNAUTHORIZED } from './authentication.ts';
import { containerError, type Call, type Reply } from './http.ts';
import type { Platform } from './platform.ts';
import type { OperationName } from './profiles.ts';
import { ActionParameters, frameworkError, restLiError, RestLiError, restLiValue } from './restli.ts';
import { sizeFigure } from './timeseries/sizeFigures.ts';
import { isTaskId, taskStatusText } from './timeseries/taskStatus.ts';
import { truncate } from './timeseries/truncateAction.ts';
import type { Actor, Privilege } from './users.ts';

const privileges: Readonly<Record<OperationName, Privilege>> = {
  truncateTimeseriesAspect: 'TRUNCATE_TIMESERIES_INDEX_PRIVILEGE',
  getIndexSizes: 'GET_TIMESERIES_INDEX_SIZES_PRIVILEGE',
  getEsTaskStatus: 'GET_ES_TASK_STATUS_PRIVILEGE',
};

const refusals: Readonly<Record<OperationName, string>> = {
  truncateTimeseriesAspect: 'User is unauthorized to truncate timeseries index',
  getIndexSizes: 'User is unauthorized to get index sizes.',
  getEsTaskStatus: 'User is unauthorized to get ES task status',
};

/** `POST /operations?action=…`: the Rest.li actions. Responses have the framework's envelope. */
export async function callOperation(platform: Platform, call: Call): Promise<Reply> {
  const actor = authenticate(platform, call, 'operations');
  if (actor === null) {
    return containerError(platform.profile, call, 401, UNAUTHORIZED);
  }
  try {
    return restLiValue(await runAction(platform, call, actor));
  } catch (error) {
    if (error instanceof RestLiError) {
      return restLiError(error);
    }
    throw error;
  }
}

/** True if a caller may run an operation. Always true on a server that does not enforce these privileges. */
export function mayOperate(platform: Platform, actor: Actor, operation: OperationName): boolean {
  const { systemOperationsPrivilege } = platform.profile;
  const replaceable = systemOperationsPrivilege && operation !== 'truncateTimeseriesAspect';
  const bySystem = replaceable && actor.privileges.has('MANAGE_SYSTEM_OPERATIONS');
  return bySystem || holdsPrivilege(platform, actor, operation);
}

/** True if a caller holds the operation's own privilege. No other privilege includes it. */
export function holdsPrivilege({ profile }: Platform, actor: Actor, operation: OperationName): boolean {
  return !profile.restAuthorization || actor.privileges.has(privileges[operation]);
}

async function runAction(platform: Platform, call: Call, actor: Actor): Promise<unknown> {
  const { method, path } = call;
  const action = call.query.get('action');
  if (action === null) {
    throw frameworkError(`${method} operation not supported for URI: '${path}' with X-RestLi-Method: ''`);
  }
  if (method !== 'POST') {
    throw frameworkError(
      `All action methods (specified via 'action' in URI) must be submitted as a POST (was ${method})`,
    );
  }
  const operation = platform.profile.operations.find((name) => name === action);
  if (!operation) {
    const resource = 'com.linkedin.metadata.resources.operations.OperationsResource';
    throw frameworkError(
      `POST operation named ${action} not supported on resource '${resource}' URI: '${path}?action=${action}'`,
    );
  }
  if (!mayOperate(platform, actor, operation)) {
    throw new RestLiError(403, refusals[operation]);
  }
  const parameters = new ActionParameters(action, call.body === '' ? {} : parseJson(call.body));
  switch (operation) {
    case 'getIndexSizes':
      return sizes(platform);
    case 'getEsTaskStatus':
      return taskStatus(platform, parameters);
    case 'truncateTimeseriesAspect':
      return truncate(platform, parameters);
  }
}

async function sizes({ profile, timeseries }: Platform): Promise<unknown> {
  const indexSizes = (await timeseries.store.sizes()).map(({ indexName, names, bytes }) => ({
    aspectName: names?.aspect,
    entityName: names?.entity,
    indexName,
    [profile.sizeField]: sizeFigure(profile.sizeField, bytes),
  }));
  return { indexSizes };
}

async function taskStatus(platform: Platform, parameters: ActionParameters): Promise<string> {
  const nodeId = parameters.text('nodeId');
  const number = parameters.whole('taskId', 'Long') ?? 0;
  const task = parameters.text('task');
  const byNode = nodeId !== null && number > 0 ? `${nodeId}:${number}` : null;
  if (byNode === null && task === null) {
    throw new RestLiError(400, 'Please specify either Node ID + task ID OR composite task parameters');
  }
  if (byNode !== null && task !== null && byNode !== task) {
    throw new RestLiError(400, 'Please specify only one of Node ID + task ID OR composite task parameters');
  }
  if (task !== null && !isTaskId(task)) {
    throw new RestLiError(
      400,
      `Task should be in the form nodeId:taskId e.g. aB1cdEf2GHIJKLMnoPQr3S:123456 (got ${task})`,
    );
  }
  const id = task ?? String(byNode);
  const found = await platform.timeseries.store.task(id);
  return found ? taskStatusText(found) : JSON.stringify({ error: `Could not get task status for ${id}` });
}
