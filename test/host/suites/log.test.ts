import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { activated } from './support/extension.ts';
import { Person } from './support/person.ts';

const SECRET = 'opaque-secret-0815';

suite('The log', () => {
  const person = new Person();
  const written: string[] = [];
  let stopListening = (): void => undefined;
  let isClosed = false;
  suiteSetup(async function listenToTheLog() {
    await activated();
    person.arrive();
    // VS Code returns the same channel for the same name. It does not always write it to a file, so the test observes
    // it.
    const open = (): vscode.LogOutputChannel => vscode.window.createOutputChannel('DataHub', { log: true });
    const channel = open();
    if (open() !== channel) {
      // Older versions give each caller a channel of its own, which a test can't observe. The newest one runs this.
      this.skip();
    }
    const { error } = channel;
    channel.error = (text) => {
      // As VS Code does.
      if (isClosed) throw new Error('Channel has been closed');
      written.push(String(text));
      error(text);
    };
    stopListening = () => (channel.error = error);
  });
  teardown(() => {
    person.assertNothingOpen();
    written.length = 0;
  });
  suiteTeardown(() => {
    person.depart();
    stopListening();
  });

  for (const [what, message] of Object.entries({
    'in one line': `no picker for ${SECRET}`,
    'in lines that look like places': `no picker\n    at ${SECRET} (file.js:1:1)\nat ${SECRET}`,
  })) {
    test(`names the bug and its place, without its message: ${what}`, async () => {
      await runIntoBug(message);
      await person.seesNotification(/Internal error in the extension/);
      const bug =
        written.find((text) => text.startsWith('metadataService.connection.add: RangeError\n')) ??
        assert.fail(written.join('\n'));
      assert.match(bug, /\n\s+at .+:\d+:\d+/);
      assert.ok(!written.join('\n').includes(SECRET), bug);
    });
  }

  test('is not needed to notify the user: a closed one changes nothing', async () => {
    isClosed = true;
    try {
      await runIntoBug('no picker');
      await person.seesNotification(/Internal error in the extension/);
    } finally {
      isClosed = false;
    }
  });
});

/** Runs a command that fails for a fault of the extension. */
async function runIntoBug(message: string): Promise<void> {
  const watched = vscode.window.createQuickPick;
  vscode.window.createQuickPick = () => {
    throw new RangeError(message);
  };
  try {
    await vscode.commands.executeCommand(COMMANDS.connectionAdd);
  } finally {
    vscode.window.createQuickPick = watched;
  }
}
