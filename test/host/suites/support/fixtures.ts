import * as vscode from 'vscode';
import type { ProfileName } from '../../../service/profiles.ts';
import { callService, hostService } from '../../context.ts';
import type { HostService } from '../../environment.ts';
import { addConnection, connectionAs, leaveNothing } from './connections.ts';
import { Person } from './person.ts';
import { calm } from './requests.ts';

type ConnectedSuite = {
  readonly service: HostService;
  readonly person: Person;
  /** ID of the connection, from the set-up of the suite or the test on. */
  connectionId(): string;
};

/** Name and server of the connection. */
type ConnectionOptions = { readonly name: string; readonly profile?: ProfileName };

/**
 * To be called in a suite. All its tests have one connection, as an operator. Each begins with the rows that the service started
 * with, and without faults or logged requests; each ends with nothing open.
 */
export function connectedSuite({ name, profile }: ConnectionOptions): ConnectedSuite {
  const [service, person] = [hostService(profile), new Person()];
  let connectionId = '';
  suiteSetup(async () => {
    person.arrive();
    connectionId = await addConnection(person, connectionAs(service, 'operator', name));
  });
  setup(async () => {
    await callService(service, 'restoreRows');
    await calm(service);
  });
  teardown(async () => {
    await callService(service, 'setPacing', { held: false });
    person.assertNothingOpen();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  suiteTeardown(async () => {
    await calm(service);
    await callService(service, 'restoreRows');
    await leaveNothing(person);
    person.depart();
  });
  return { service, person, connectionId: () => connectionId };
}

/**
 * To be called in a suite. Each of its tests has a connection of its own, as an operator, which goes after it with all that is kept
 * of it. The rest is as in `connectedSuite`. The tree is out of sight, so that it asks for nothing by itself.
 */
export function connectedTests({ name, profile }: ConnectionOptions): ConnectedSuite {
  const [service, person] = [hostService(profile), new Person()];
  let connectionId = '';
  suiteSetup(() => person.arrive());
  setup(async () => {
    await vscode.commands.executeCommand('workbench.view.explorer');
    await callService(service, 'restoreRows');
    connectionId = await addConnection(person, connectionAs(service, 'operator', name));
    await calm(service);
  });
  teardown(async () => {
    await callService(service, 'setPacing', {
      held: false,
      failAfterBatches: null,
      versionConflicts: 0,
      floodStage: false,
      floodRetriesMillis: 60_000,
    });
    await calm(service);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await leaveNothing(person);
  });
  suiteTeardown(async () => {
    await callService(service, 'restoreRows');
    person.depart();
  });
  return { service, person, connectionId: () => connectionId };
}
