/** The parts of the user interface that all features share. */
import type { Clipboard } from './clipboard.ts';
import { Commands } from './commands.ts';
import { Log } from './log.ts';
import { Notices } from './notices.ts';

export interface UserInterface {
  readonly log: Log;
  readonly notices: Notices;
  readonly commands: Commands;
  readonly clipboard: Clipboard;
}

export function createUserInterface(clipboard: Clipboard): UserInterface {
  const log = new Log();
  const notices = new Notices(log);
  return { log, notices, commands: new Commands(notices, log), clipboard };
}
