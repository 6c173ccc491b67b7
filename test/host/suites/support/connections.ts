/** Adds, uses and removes connections as users do. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { originOf } from '../../../../src/connections/connection.ts';
import { connectionFrom, emptyConnectionDraft } from '../../../../src/connections/connectionDraft.ts';
import { CredentialStore, type TokenOrigin } from '../../../../src/connections/credentialStore.ts';
import { signInWith } from '../../../../src/connections/signIn.ts';
import { COMMANDS } from '../../../../src/manifest.ts';
import { systemClock } from '../../../../src/time.ts';
import type { HostService } from '../../environment.ts';
import type { AdditionalHeaders } from '../../../../src/service/http/transport.ts';
import { activated, currentActivation } from './extension.ts';
import type { Person } from './person.ts';
import { rowsBelow } from './tree.ts';

interface NewConnection {
  readonly baseUrl: string;
  readonly actor: string;
  /** Empty for no token. */
  readonly token: string;
  readonly name: string;
  /** Role of the server. Development by default. */
  readonly role?: string;
}

/** A connection for development. */
type DevelopmentConnection = Omit<NewConnection, 'role'>;

export const ADDRESS = /Server address/;
export const WHO = /Your user ID or URN/;
export const TOKEN = /Access token( \(optional\)\.|\. Leave empty| for )/;
export const NAME = /A name for this connection/;
export const ROLE = /What is this server used for/;
export const HEADER = /Header that a proxy or gateway in front/;
/** The list of all fields. */
export const FORM = /Select what to change/;
export const SAVE = /Save Connection|Save Without a Token/;

/** Answers every question of adding a connection. */
export async function answerConnectionFlow(
  person: Person,
  { baseUrl, actor, token, name, role = 'Development' }: NewConnection,
): Promise<void> {
  await comeToForm(person, { baseUrl, token });
  await changeName(person, name);
  await changeRole(person, role);
  if (token === '') {
    await changeUser(person, actor);
  }
  await person.picks(FORM, SAVE);
}

/** Answers the questions before the form. */
export async function comeToForm(
  person: Person,
  { baseUrl, token }: Pick<NewConnection, 'baseUrl' | 'token'>,
): Promise<void> {
  await enterAddress(person, baseUrl);
  await person.types(TOKEN, token);
  await person.offered(FORM, SAVE);
}

/** Types an address, and takes its first meaning. */
export async function enterAddress(person: Person, address: string): Promise<void> {
  await person.filters(ADDRESS, address);
  await person.picks(ADDRESS, /arrow-right/);
}

/** Changes the name in the form. */
export async function changeName(person: Person, name: string): Promise<void> {
  await person.picks(FORM, /Name: /);
  await person.types(NAME, name);
}

/** Changes the role in the form, if it is another one. */
async function changeRole(person: Person, role: string): Promise<void> {
  const offered = await person.offered(FORM, /Role: /);
  if (!offered.some(({ label }) => label.endsWith(`Role: ${role}`))) {
    await person.picks(FORM, /Role: /);
    await person.picks(ROLE, role);
  }
}

/** Changes the user in the form. */
async function changeUser(person: Person, actor: string): Promise<void> {
  await person.picks(FORM, /User: /);
  await person.types(WHO, actor);
}

/** Changes the token in the form. */
export async function changeToken(person: Person, token: string): Promise<void> {
  await person.picks(FORM, /Access token: /);
  await person.types(TOKEN, token);
}

/** Labels of the form's rows, without icons, once it offers this one. */
export async function formLabels(person: Person, label: string | RegExp): Promise<readonly string[]> {
  return (await person.offered(FORM, label)).map((item) => item.label.replace(/^\$\([\w~-]+\) /, ''));
}

/**
 * Saves a connection without the command, for tests that are about something else. It takes a tenth of the time.
 *
 * @param origin of its token
 * @param headers in place of the token
 * @returns the ID of the connection
 */
export async function saveConnection(
  { baseUrl, actor, token, name }: DevelopmentConnection,
  origin: TokenOrigin = {},
  headers?: AdditionalHeaders,
): Promise<string> {
  const { context, store } = await activated();
  // The extension's own ones learn of it by VS Code's event.
  const credentials = new CredentialStore(context.secrets, store, systemClock);
  try {
    const plainHttpOrigin = originOf({ baseUrl });
    const draft = {
      ...emptyConnectionDraft(),
      baseUrl,
      typedUser: `urn:li:corpuser:${actor}`,
      token,
      name,
      plainHttpOrigin,
    };
    await store.add(connectionFrom(draft), 'development');
    const connection = store.get(draft.id) ?? assert.fail();
    await signInWith({ store, credentials }, connection, headers === undefined ? token : undefined, origin, headers);
    await store.use(draft.id);
    return draft.id;
  } finally {
    credentials.dispose();
  }
}

/**
 * Adds a connection by the command.
 *
 * @returns the ID of the connection
 */
export async function addConnection(person: Person, connection: NewConnection): Promise<string> {
  const { store } = await activated();
  const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
  await answerConnectionFlow(person, connection);
  await added;
  const saved = store.all().find(({ name }) => name === connection.name);
  assert.ok(saved !== undefined, 'the connection was not saved');
  return saved.id;
}

/** A connection as one of the service's sample users. */
export function connectionAs(service: HostService, user: string, name: string): DevelopmentConnection {
  return { baseUrl: service.url, actor: user, token: tokenOf(service, user), name };
}

export function tokenOf(service: HostService, user: string): string {
  const sample = service.users[user];
  assert.ok(sample !== undefined, `the service has no user ${user}`);
  return sample.token;
}

/** What VS Code's secret storage holds for a connection. */
export async function secretOf(id: string): Promise<{ readonly token: string }> {
  return JSON.parse((await currentActivation().context.secrets.get(`credential.${id}`)) ?? '') as { token: string };
}

/** Removes every connection, through the command. */
export async function removeConnections(person: Person): Promise<void> {
  for (const { id } of currentActivation().store.all()) {
    const row = (await rowsBelow()).find(({ item }) => item.id === id);
    await person.runs(COMMANDS.connectionRemove, row ?? [], /^Remove the connection/, 'Remove');
  }
}

/** Ends a test: nothing stays open, and no connection is left for the next one, even after a failure. */
export async function leaveNothing(person: Person): Promise<void> {
  try {
    person.assertNothingOpen();
  } finally {
    await removeConnections(person);
  }
}
