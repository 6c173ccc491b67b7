/** Messages that the pages can send, and such as they never send. */
import assert from 'node:assert/strict';
import { OVERVIEW_PAGE_MESSAGE } from '../../src/pages/overview/protocol.ts';
import { TRUNCATION_PAGE_MESSAGE } from '../../src/pages/truncation/protocol.ts';
import { CAUTION_KINDS } from '../../src/truncation/cautions.ts';
import { emptyDraft } from '../../src/truncation/plan.ts';
import { DAY } from './durations.ts';
import { OPERATIONS, type Target } from './truncations.ts';

export interface Message {
  readonly type: string;
}

interface MessageSchema {
  readonly entries: { readonly type: { readonly literal: string } };
}

type FieldValues = Readonly<Record<string, readonly unknown[]>>;

/**
 * Messages of each kind, with every combination of the values for its fields. Delete is pressed first, twice, while the
 * page is as it was.
 */
function messagesOf(kinds: readonly MessageSchema[], values: FieldValues): readonly Message[] {
  const all = kinds.flatMap(({ entries: { type, ...fields } }) =>
    Object.keys(fields).reduce<readonly Message[]>(
      (messages, field) =>
        messages.flatMap((message) => {
          const some = values[field] ?? assert.fail(`${field} has no value`);
          return some.map((value) => Object.assign({}, message, { [field]: value }));
        }),
      [{ type: type.literal }],
    ),
  );
  return [{ type: 'execute' }, { type: 'execute' }, ...all];
}

/** The message that ends the page of one index. A closed page does nothing more, so it comes after all others. */
export const CLOSING: Message = { type: 'close' };

const VALUES: FieldValues = {
  timeZone: ['UTC'],
  caution: CAUTION_KINDS,
  cautions: [[], CAUTION_KINDS],
  isTicked: [true, false],
  at: [0],
  for: ['repair', 'cancel', 'merge'],
  place: [0, 24],
  days: [365],
};

/** Without the one that ends it. @param target Index that the page is about. */
export function wizardMessages({ entityType, aspect }: Target = OPERATIONS): readonly Message[] {
  const draft = { ...emptyDraft(entityType, aspect), endTimeMillis: Date.now() - 365 * DAY, batchSize: '1' };
  const values = { ...VALUES, draft: [draft] };
  return messagesOf(TRUNCATION_PAGE_MESSAGE.options, values).filter(({ type }) => type !== CLOSING.type);
}

/** @param ids Names of indices. */
export function overviewMessages(...ids: readonly string[]): readonly Message[] {
  const values = { ...VALUES, id: ids, ids: ids.map((id) => [id]), recordId: [`${crypto.randomUUID()}.0`] };
  return messagesOf(OVERVIEW_PAGE_MESSAGE.options, values);
}

/** What a message would be like that says more than a button does. */
const MORE = {
  confirmed: true,
  dryRun: false,
  plan: { ...OPERATIONS, endTimeMillis: 1, dryRun: false },
  url: 'http://127.0.0.1:9/',
  command: 'metadataService.token.revoke',
};
const UNKNOWN_TYPES = ['send', 'confirmed', 'answer', 'transmit', 'recounted', 'sent', 'command', 'constructor', ''];

/** Messages that no page sends, made of those that pages send. What is wrong in a field is up to the unit tests. */
export function forgedMessages(messages: readonly Message[]): readonly unknown[] {
  return [
    ...[...messages, ...UNKNOWN_TYPES.map((type) => ({ type }))].map((message) => Object.assign({}, message, MORE)),
    ...messages.map((message) => [message]),
    ...messages.map((message) => JSON.stringify(message)),
    JSON.parse('{"__proto__":{"type":"execute"}}'),
    { type: 'job', intent: { type: 'execute' } },
    { type: ['execute'] },
    { type: { toString: 'execute' } },
    { type: 'continue', jobId: '../../records/truncation' },
    undefined,
    null,
    'execute',
    {},
  ];
}
