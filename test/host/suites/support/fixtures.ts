import * as vscode from 'vscode';
import type { ProfileName } from '../../../service/profiles.ts';
import { callService, hostService } from '../../context.ts';
import type { HostService } from '../../environment.ts';
import { connectionAs, leaveNothing, saveConnection } from './connections.ts';
import { Person } from './person.ts';
import { calm } from './requests.ts';

type ConnectedSuite = {
  readonly service: HostService;
  readonly person: Person;
  /** ID of the connection. Available once the suite or the test is set up. */
  connectionId(): string;
};

/** Name and server of the connection. */
type ConnectionOptions = { readonly name: string; readonly profile?: ProfileName };

/**
 * Call this in a suite. All its tests share one connection, as an operator. Each begins with the original rows, and
 * without faults or logged requests; each ends with nothing open.
 */
export function connectedSuite({ name, profile }: ConnectionOptions): ConnectedSuite {
  const [service, person] = [hostService(profile), new Person()];
  let connectionId = '';
  suiteSetup(async () => {
    person.arrive();
    connectionId = await saveConnection(connectionAs(service, 'operator', name));
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
 * Call this in a suite. Each of its tests has its own connection, as an operator, which is removed afterwards with
 * everything stored for it. Otherwise like `connectedSuite`. The tree is hidden, so that it sends no requests by
 * itself.
 */
export function connectedTests({ name, profile }: ConnectionOptions): ConnectedSuite {
  const [service, person] = [hostService(profile), new Person()];
  let connectionId = '';
  suiteSetup(() => person.arrive());
  setup(async () => {
    await vscode.commands.executeCommand('workbench.view.explorer');
    await callService(service, 'restoreRows');
    connectionId = await saveConnection(connectionAs(service, 'operator', name));
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
