import { ServiceFailure } from '../../src/service/failure/failure.ts';
import { differs, findingOf, holds, notAsked, type ServerClaim } from './claim.ts';
import { UNKNOWN_ACTION } from './guard.ts';
import { asking } from './identityClaims.ts';

/** Looks like a task's ID. No node has that name. */
const NO_SUCH_TASK = 'conformanceNoSuchNode:1';
const NO_TASK = 'conformance';

export const INDEX_CLAIMS: readonly ServerClaim[] = [
  {
    id: 'sizes',
    sentence: '`getIndexSizes` lists indices with their sizes',
    expected: 'a list',
    exchanges: ['sizes', 'sizes-of-0.14', 'sizes-on-postgres', 'sizes-refused'],
    consequence: 'Indices have to be added by name, and have no sizes. Tokens and truncation are not affected.',
    ask: async ({ service, learned, isDataHub, signal }) => {
      try {
        learned.indices = await service.indices.listIndexSizes(signal);
      } catch (thrown) {
        // The interface description only names the operation.
        const isUnsupported = thrown instanceof ServiceFailure && thrown.kind === 'unsupported';
        return isUnsupported && !isDataHub ? notAsked("the server doesn't have it") : findingOf(thrown);
      }
      const { indices } = learned;
      return holds(
        indices.some(({ isTotal }) => isTotal) ? 'a list with one total' : 'a list',
        indices.map(({ indexName }) => indexName).join(', '),
      );
    },
  },
  {
    id: 'size-units',
    sentence: 'Sizes are in `sizeInMb`, which is right for any index',
    expected: '`sizeInMb`',
    exchanges: ['sizes', 'sizes-of-0.14', 'sizes-in-kilobytes'],
    consequence: 'Sizes are unknown; tokens and truncation are not affected.',
    ask: async ({ learned, isDataHub }) => {
      const { indices = [] } = learned;
      if (indices.some(({ sizeBytes }) => sizeBytes !== undefined)) return holds('`sizeInMb`');
      return indices.length === 0 || !isDataHub ? notAsked('no size was listed') : differs('no size');
    },
  },
  {
    id: 'unknown-action',
    sentence: "An operation that doesn't exist is rejected as such",
    expected: 'no such operation',
    exchanges: [],
    consequence: 'The extension may take a server without an operation for one that fails.',
    ask: async ({ operations, signal }) => {
      try {
        await operations.callReadAction(asking(UNKNOWN_ACTION), {}, { signal });
        return differs('answered');
      } catch (thrown) {
        return (thrown instanceof ServiceFailure && thrown.kind === 'unsupported') || findingOf(thrown);
      }
    },
  },
  {
    id: 'unknown-task',
    sentence: 'An unknown task is reported as unknown',
    expected: 'not known',
    exchanges: ['task-unknown', 'task'],
    consequence: 'A truncation whose task the server forgot is not recognized. Rows are counted instead.',
    onlyDataHub: true,
    ask: async ({ service, signal }) => {
      const { kind } = await service.tasks.readTaskStatus(NO_SUCH_TASK, signal);
      return kind === 'unknown' || differs('a status');
    },
  },
  {
    id: 'malformed-task',
    sentence: 'A text that is no task ID is rejected',
    expected: 'rejected (400)',
    exchanges: [],
    consequence: 'On PostgreSQL, progress may be missing until the truncation has ended.',
    onlyDataHub: true,
    ask: async ({ service, signal }) => {
      try {
        await service.tasks.readTaskStatus(NO_TASK, signal);
        return differs('answered');
      } catch (thrown) {
        const isRejected = thrown instanceof ServiceFailure && thrown.kind === 'badRequest';
        return isRejected ? holds('rejected (400)') : findingOf(thrown);
      }
    },
  },
];
