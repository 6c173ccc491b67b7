import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { leadElsewhere, sharedFolders } from './support/anotherWindow.ts';
import { connectionAs, leaveNothing, saveConnection } from './support/connections.ts';
import { currentActivation, reloadExtension } from './support/extension.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith, variablesOf } from './support/requests.ts';
import {
  DURATION,
  INCOMPLETE,
  TOKENS,
  TOKEN_NAME,
  TYPE,
  createToken,
  holderOf,
  issueToken,
  recordOf,
  revocationsSettled,
} from './support/tokens.ts';
import { labelsBelow, refresh, rowAt, rowsBelow, tooltipOf, type Row } from './support/tree.ts';
import type { Question } from './support/watchedWindow.ts';
import { until } from './support/until.ts';

const NAME = 'Rotating';
const DAY = 86_400_000;
const REPLACEMENT = /Create a replacement for "/;
const CREATED = /^The access token ".*" was created on ".+"\.$/;
const OLD = /^Revoke the old token "/;
const KEEP = 'Keep Both for Now';

suite('Rotating an access token', () => {
  const service = hostService('1.7');
  const person = new Person();
  suiteSetup(() => person.arrive());
  setup(async () => {
    await calm(service);
    await saveConnection(connectionAs(service, 'admin', NAME));
    await revocationsSettled(service);
  });
  teardown(async () => {
    await calm(service);
    await leaveNothing(person);
  });
  suiteTeardown(() => person.depart());

  test('asks one question: a replacement with name, user and duration of the old token', async () => {
    await listed('same again', { actorUrn: 'urn:li:corpuser:operator', description: 'for the night', days: 90 });
    const rotated = rotate('same again');
    const items = await person.offered(REPLACEMENT, 'Create Replacement');
    const labels = items.map(({ label, description }) => `${label}: ${description}`);
    assert.match(labels[0] ?? '', /Create Replacement: same name · 3 months \(90 days\)$/);
    assert.deepEqual(
      ['Name: same again', 'Acts as: operator', 'Description: for the night', 'Type: Personal'].filter(
        (text) => !labels.some((label) => label.endsWith(text)),
      ),
      [],
    );
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.answers(CREATED, 'Close');
    await person.answers(OLD, KEEP);
    await rotated;
    const [sent, ...others] = await requestsWith(service, 'createAccessToken');
    assert.deepEqual(others, []);
    assert.deepEqual(variablesOf(sent ?? assert.fail()), {
      input: {
        type: 'PERSONAL',
        actorUrn: 'urn:li:corpuser:operator',
        duration: 'THREE_MONTHS',
        name: 'same again',
        description: 'for the night',
      },
    });
  });

  test('lets the user edit single properties, and returns to the question', async () => {
    await listed('edited', { days: 30 });
    const rotated = rotate('edited');
    await person.picks(REPLACEMENT, 'Name');
    assert.equal(await person.reads(TOKEN_NAME), 'edited');
    await person.types(TOKEN_NAME, 'edited anew');
    await person.picks(REPLACEMENT, 'Expires after');
    await person.picks(DURATION, '1 day');
    await person.picks(REPLACEMENT, 'Type');
    await person.goesBack(TYPE);
    const [accept] = await person.offered(REPLACEMENT, 'Create Replacement');
    assert.equal(accept?.description, '"edited anew" · 1 day');
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.answers(CREATED, 'Close');
    await person.answers(OLD, KEEP);
    await rotated;
    const record = await recordOf(service, 'edited anew');
    assert.equal((record?.expiresAt ?? 0) - (record?.createdAt ?? 0), DAY);
  });

  test('asks at once, with nothing to accept before a slow server has answered', async () => {
    await listed('slow', { days: 30 });
    await callService(service, 'addFault', {
      fault: { kind: 'latency', millis: 3_600_000 },
      match: '/api/graphql',
      times: 'always',
    });
    const rotated = rotate('slow');
    const items = await person.offered(REPLACEMENT, /Loading token types/);
    assert.equal(items.length, 1);
    await calm(service);
    await person.offered(REPLACEMENT, 'Create Replacement');
    await person.leaves(REPLACEMENT);
    await rotated;
    assert.deepEqual(await requestsWith(service, 'createAccessToken'), []);
  });

  test('asks for a name first if no new token can have the old one', async () => {
    const name = `a name that is longer than ${'any '.repeat(10)}new one may be`;
    await listed(name);
    const rotated = rotate(name);
    const items = await person.offered(INCOMPLETE, 'Name');
    assert.ok(!items.some(({ label }) => label.endsWith('Create Replacement')));
    assert.match(items.find(({ label }) => label.endsWith('Name'))?.detail ?? '', /^At most 50 characters/);
    await person.picks(INCOMPLETE, 'Name');
    await person.types(TOKEN_NAME, 'shorter');
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.answers(CREATED, 'Close');
    await person.answers(OLD, KEEP);
    await rotated;
    assert.ok(await recordOf(service, 'shorter'));
  });

  test('identifies the old of two tokens with the same name; the first answer, and Escape, keep both', async () => {
    const old = await listed('shared name');
    const question = await replaced('shared name');
    assert.match(question.message, /^Revoke the old token "shared name" on "Rotating"\?$/);
    assert.deepEqual(question.buttons, [KEEP, 'Revoke Old Token']);
    assert.match(question.detail, /^Acts as admin\nCreated .*\nThe replacement was created just now\.\n/);
    assert.match(question.detail, /lose access, possibly after a few minutes/);
    assert.deepEqual(await requestsWith(service, 'revokeAccessToken'), []);
    assert.equal(await holderOf(service, old), 'urn:li:corpuser:admin');
  });

  test('marks the old token until it is revoked, even after a reload, without reminders', async () => {
    await listed('kept for now');
    const { id } = (await recordOf(service, 'kept for now')) ?? assert.fail();
    await replaced('kept for now');
    const marked = async (): Promise<string[]> =>
      (await twins('kept for now')).filter(isSuperseded).map(({ item }) => item.id ?? '');
    assert.deepEqual((await marked()).length, 1);
    assert.ok((await marked())[0]?.endsWith(id), 'the new one is marked');
    await reloadExtension();
    assert.ok((await marked())[0]?.endsWith(id));
    assert.deepEqual(person.toldSoFar, []);
    const row = (await twins('kept for now')).find(isSuperseded) ?? assert.fail();
    const tooltip = await tooltipOf(row);
    assert.ok(tooltip instanceof vscode.MarkdownString && /rotation replaced this token/.test(tooltip.value));

    const revoked = vscode.commands.executeCommand(COMMANDS.tokenRevoke, row.node);
    await person.answers(/^Revoke the access token "kept for now" on ".+"\?$/, 'Revoke');
    await revoked;
    assert.deepEqual(await marked(), []);
    assert.equal(await marks(), 0);
  });

  test('revokes the old token on request, and the new one works', async () => {
    const old = await listed('rotated');
    const rotated = rotate('rotated');
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.answers(CREATED, 'Copy Token');
    assert.equal(await holderOf(service, old), 'urn:li:corpuser:admin');
    await person.answers(OLD, 'Revoke Old Token');
    await rotated;
    assert.equal(await holderOf(service, old), undefined);
    assert.equal(await holderOf(service, await vscode.env.clipboard.readText()), 'urn:li:corpuser:admin');
    const left = await twins('rotated');
    assert.deepEqual(left.map(isSuperseded), [false]);
  });

  test("keeps the only copy of a replacement, although the old token was the connection's own", async () => {
    await createToken(person, NAME, { name: 'mine', button: 'Use for This Connection' });
    const rotated = rotate('mine');
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.answers(CREATED, 'Close');
    const { detail } = await person.answers(OLD, 'Revoke Old Token');
    assert.match(detail, /This connection signs in with "mine"\. You'll have to sign in again\./);
    await rotated;
    await person.seesNotification(/^The access token that ".*" signed in with was revoked\./);
    const copied = vscode.commands.executeCommand(COMMANDS.tokenCopy, (await rowAt(NAME, TOKENS, 'mine')).node);
    await person.answers(/^Copy the access token "mine" from ".+"\?$/, 'Copy Token');
    await copied;
    assert.equal(await holderOf(service, await vscode.env.clipboard.readText()), 'urn:li:corpuser:admin');
  });

  test('does not claim that a connection signs in with the old token if it uses the new one by then', async () => {
    await listed('of this connection');
    const rotated = rotate('of this connection');
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.answers(CREATED, 'Use for This Connection');
    await person.answers(OLD, KEEP);
    await rotated;

    const own = (await twins('of this connection')).find((row) => !isSuperseded(row)) ?? assert.fail();
    const again = vscode.commands.executeCommand(COMMANDS.tokenRotate, own.node);
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.answers(CREATED, 'Use for This Connection');
    assert.doesNotMatch((await person.answers(OLD, 'Revoke Old Token')).detail, /signs in with/);
    await again;
    await refresh(await rowAt(NAME, TOKENS));
    assert.equal((await labelsBelow(NAME, TOKENS)).filter((label) => label === 'of this connection').length, 2);
  });

  test('does not ask about the old token if the connection leads to another server by then', async () => {
    const other = hostService('spec');
    await callService(other, 'clearRequests');
    const old = await listed('left where it was');
    const rotated = rotate('left where it was');
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.isAsked(CREATED);
    const { api } = currentActivation();
    await leadElsewhere(api.connections()[0]?.id ?? assert.fail(), other.url);
    await person.answers(CREATED, 'Copy Token');
    await rotated;
    await person.seesNotification(
      /^The connection was changed .* nothing was sent\. The old token "left where it was" wasn't revoked\.$/,
    );
    assert.deepEqual(await requestsWith(other, 'revokeAccessToken'), []);
    assert.equal(await holderOf(service, old), 'urn:li:corpuser:admin');
    await until(
      'the list of the other server',
      async () => !(await labelsBelow(NAME, TOKENS)).includes('left where it was'),
    );
  });

  test('keeps edits after a refusal, and marks nothing', async () => {
    await listed('refused');
    const fault = {
      kind: 'status',
      status: 403,
      body: '{"message":"no","status":403}',
      contentType: 'application/json',
    } as const;
    await callService(service, 'addFault', { fault, match: 'createAccessToken' });
    const rotated = rotate('refused');
    await person.picks(REPLACEMENT, 'Name');
    await person.types(TOKEN_NAME, 'refused anew');
    await person.picks(REPLACEMENT, 'Create Replacement');
    await rotated;
    await person.seesNotification(/aren't allowed to create access tokens/);
    assert.ok(!(await twins('refused')).some(isSuperseded));

    const again = rotate('refused');
    const [accept] = await person.offered(REPLACEMENT, 'Create Replacement');
    assert.match(accept?.description ?? '', /^"refused anew"/);
    await person.leaves(REPLACEMENT);
    await again;
    assert.equal((await requestsWith(service, 'createAccessToken')).length, 1);
  });

  test('removes its marks with the connection', async () => {
    await listed('left behind');
    await replaced('left behind');
    assert.equal(await marks(), 1);
    await leaveNothing(person);
    assert.equal((await sharedFolders()('tokens').readAll()).size, 0);
  });

  /** Number of tokens that are stored as superseded. */
  async function marks(): Promise<number> {
    const stored = [...(await sharedFolders()('tokens').readAll()).values()];
    return stored.filter((text) => text?.includes('"superseded"')).length;
  }

  /**
   * Issues a token that the tree lists.
   * @returns its string
   */
  async function listed(
    name: string,
    {
      actorUrn,
      description = null,
      days,
    }: { readonly actorUrn?: string; readonly description?: string | null; readonly days?: number } = {},
  ): Promise<string> {
    const createdAt = Date.now() - DAY;
    const { token } = await issueToken(service, {
      name,
      description,
      createdAt,
      expiresAt: days === undefined ? null : createdAt + days * DAY,
      ...(actorUrn === undefined ? {} : { actorUrn }),
    });
    await refresh(await rowAt(NAME, TOKENS));
    await rowAt(NAME, TOKENS, name);
    return token;
  }

  async function rotate(name: string): Promise<unknown> {
    return vscode.commands.executeCommand(COMMANDS.tokenRotate, (await rowAt(NAME, TOKENS, name)).node);
  }

  /**
   * Rotates a token and answers the question about the old one by Escape.
   * @returns that question
   */
  async function replaced(name: string): Promise<Question> {
    const rotated = rotate(name);
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.answers(CREATED, 'Close');
    const question = await person.answers(OLD);
    await rotated;
    return question;
  }

  /** Rows with this name: the old token and its replacement. */
  async function twins(name: string): Promise<Row[]> {
    return (await rowsBelow(await rowAt(NAME, TOKENS))).filter(({ label }) => label === name);
  }
});

function isSuperseded({ description }: Row): boolean {
  return /^superseded\b/.test(description);
}
