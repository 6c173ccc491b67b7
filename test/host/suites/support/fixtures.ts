import * as vscode from 'vscode';
import type { ProfileName } from '../../../service/profiles.ts';
import { callService, hostService } from '../../context.ts';
import type { HostService } from '../../environment.ts';
import { connectionAs, leaveNothing, saveConnection } from './connections.ts';
import { activated } from './extension.ts';
import { Person } from './person.ts';
import { calm } from './requests.ts';

/** A test whose proxy isn't the first one. The oldest VS Code asks the first that it used, whatever the settings say later. */
export const withAnotherProxy = vscode.version.startsWith('1.105.') ? test.skip : test;

/**
 * Call this in a suite: the person who does its tasks. Each test begins without faults or logged requests, and ends
 * with no page and no question open and no connection.
 */
export function personAt(...services: readonly HostService[]): Person {
  const person = new Person();
  const calmAll = async (): Promise<void> => void (await Promise.all(services.map(calm)));
  suiteSetup(async () => {
    await activated();
    person.arrive();
  });
  setup(calmAll);
  teardown(async () => {
    await calmAll();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await leaveNothing(person);
  });
  suiteTeardown(() => person.depart());
  return person;
}

/** Like `personAt`, for a suite whose tests share connections: each ends with nothing open, and the last one removes them. */
export function personWith(service: HostService, connect: () => Promise<unknown>): Person {
  const person = new Person();
  suiteSetup(async () => {
    await activated();
    person.arrive();
    await connect();
  });
  setup(() => calm(service));
  teardown(async () => {
    await calm(service);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    person.assertNothingOpen();
  });
  suiteTeardown(async () => {
    await leaveNothing(person);
    person.depart();
  });
  return person;
}

type Connected = {
  readonly service: HostService;
  readonly person: Person;
  /** ID of the connection. Available once the test is set up. */
  connectionId(): string;
};

/** Name and server of the connection. */
type ConnectionOptions = { readonly name: string; readonly profile?: ProfileName };

/**
 * Call this in a suite. Each of its tests has its own connection, as an operator, which is removed afterwards with
 * everything stored for it. Each begins with the original rows, and without faults or logged requests; each ends with
 * nothing open. The tree is hidden, so that it sends no requests by itself.
 */
export function connectedTests({ name, profile }: ConnectionOptions): Connected {
  const service = hostService(profile);
  let connectionId = '';
  setup(async () => {
    await vscode.commands.executeCommand('workbench.view.explorer');
    await callService(service, 'restoreRows');
    connectionId = await saveConnection(connectionAs(service, 'operator', name));
  });
  teardown(() => callService(service, 'setPacing', { held: false, failAfterBatches: null }));
  const person = personAt(service);
  suiteTeardown(() => callService(service, 'restoreRows'));
  return { service, person, connectionId: () => connectionId };
}
