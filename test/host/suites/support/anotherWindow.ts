import type * as vscode from 'vscode';
import { SteadyMemento } from '../../../../src/platform/steadyMemento.ts';

/** What another window writes: it is there when that is fulfilled, whatever the extension writes at the same time. */
export function asAnotherWindow({ globalState }: vscode.ExtensionContext): SteadyMemento {
  return new SteadyMemento(globalState);
}
