/** Tokens created as by users, and read without the extension. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../../src/manifest.ts';
import type { TokenRecord } from '../../../service/tokens/tokens.ts';
import { callService } from '../../context.ts';
import type { HostService } from '../../environment.ts';
import { tokenOf } from './connections.ts';
import type { Person } from './person.ts';
import { calm } from './requests.ts';
import { refresh, rowAt, type Row } from './tree.ts';
import type { Question } from './watchedWindow.ts';

export const TOKENS = 'Access tokens';
/** The list with all fields of a new token. */
export const NEW_TOKEN = /Press Enter to create the access token on "/;
export const TOKEN_NAME = /Name this token so you can recognize it later/;
/** Asks for a user or a service account. */
export const ACTOR = /\| Acts as$/;
export const ACTS_AS = /User this token acts as/;
export const DURATION = /Expires after/;
/** Lists the tokens whose values this window holds. */
export const HELD = /Select an access token$/;
/** Offers the string of a new token. */
export const CREATED = /^The access token ".*" was created on ".+"\.$/;
export const REPLACEMENT = /Create a replacement for "/;
/** Asks about the old token after a rotation. */
export const OLD = /^Revoke the old token "/;
const DESCRIPTION = /A description \(optional\)/;

interface NewToken {
  readonly name: string;
  readonly duration?: string;
  /** None by default. */
  readonly description?: string;
  /** Answer when the string is offered. Escape by default. */
  readonly button?: string;
}

/** Types the name, edits what differs from the defaults, and accepts. */
export async function describeToken(
  person: Person,
  { name, duration = '1 hour', description }: NewToken,
): Promise<void> {
  await person.types(TOKEN_NAME, name);
  await person.picks(NEW_TOKEN, 'Expires after');
  await person.picks(DURATION, duration);
  if (description !== undefined) {
    await person.picks(NEW_TOKEN, 'Description');
    await person.types(DESCRIPTION, description);
  }
  await person.accepts(NEW_TOKEN, 'Create Access Token');
}

/** @returns the text of the modal that offers the string */
export async function createToken(person: Person, connection: string, token: NewToken): Promise<Question> {
  const created = vscode.commands.executeCommand(COMMANDS.tokenCreate, (await rowAt(connection)).node);
  await describeToken(person, token);
  const question = await person.answers(CREATED, token.button);
  await created;
  return question;
}

/**
 * Presses Copy Access Token of a row with a held string, and confirms.
 * @returns the clipboard
 */
export async function copyHeldToken(person: Person, row: Row): Promise<string> {
  await person.runs(COMMANDS.tokenCopy, row, /^Copy the access token "/, 'Copy Token');
  return vscode.env.clipboard.readText();
}

/** The service's record of a token, if any. */
export async function recordOf(service: HostService, name: string): Promise<TokenRecord | undefined> {
  return (await callService(service, 'tokens')).find((record) => record.name === name);
}

/** Issues a token that is in every listing. */
export async function issueToken(
  service: HostService,
  request: Partial<TokenRecord>,
): Promise<{ readonly token: string; readonly record: TokenRecord }> {
  return callService(service, 'issueToken', { createdAt: Date.now() - 60_000, ...request });
}

/** Issues a token that the tree lists. @param connection Name of its row. */
export async function listedToken(
  service: HostService,
  connection: string,
  request: Partial<TokenRecord> & { readonly name: string },
): Promise<{ readonly token: string; readonly row: Row }> {
  const { token } = await issueToken(service, request);
  await refresh(await rowAt(connection, TOKENS));
  return { token, row: await rowAt(connection, TOKENS, request.name) };
}

/** User of a token according to the service; undefined if it refuses the token. */
export async function holderOf(service: HostService, token: string): Promise<string | undefined> {
  const { status, data } = await ask<{ me: { corpUser: { urn: string } } }>(
    service,
    token,
    '{ me { corpUser { urn } } }',
  );
  assert.ok(status === 200 || status === 401, `HTTP ${status}`);
  return data?.me.corpUser.urn;
}

/** Ends the lag of the listing, which fails on tokens that were just revoked: it must not affect the next test. */
export async function revocationsSettled(service: HostService): Promise<void> {
  await callService(service, 'refreshTokens');
  await calm(service);
}

/** Revokes a token without the extension, as another user does. */
export async function revokeElsewhere(service: HostService, id: string): Promise<void> {
  const { data } = await ask<{ revokeAccessToken: boolean }>(
    service,
    tokenOf(service, 'admin'),
    `mutation { revokeAccessToken(tokenId: ${JSON.stringify(id)}) }`,
  );
  assert.equal(data?.revokeAccessToken, true);
}

/** Call this in a suite: the tokens that its tests add are revoked after each. @returns the IDs before the test. */
export function revokesAddedTokens(service: HostService): () => ReadonlySet<string> {
  let before: ReadonlySet<string> = new Set();
  setup(async () => void (before = await tokenIds(service)));
  teardown(() => revokeAddedSince(service, before));
  return () => before;
}

/** IDs of all existing tokens. */
export async function tokenIds(service: HostService): Promise<ReadonlySet<string>> {
  return new Set((await callService(service, 'tokens')).map(({ id }) => id));
}

/** Revokes the tokens created since then. With those of every suite, a list would exceed a page. */
export async function revokeAddedSince(service: HostService, before: ReadonlySet<string>): Promise<void> {
  const added = [...(await tokenIds(service))].filter((id) => !before.has(id));
  await Promise.all(added.map((id) => revokeElsewhere(service, id)));
  await revocationsSettled(service);
}

/** Sends a request without the extension. */
async function ask<Data>(
  service: HostService,
  token: string,
  query: string,
): Promise<{ readonly status: number; readonly data?: Data | null }> {
  const response = await fetch(`${service.url}/api/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { status } = response;
  return status === 200 ? { status, ...((await response.json()) as { data: Data | null }) } : { status };
}
