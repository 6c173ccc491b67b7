// "Local Service" of .vscode/launch.json: starts the service, and prints its address, a user and a token in one line of JSON.
import { stdout } from 'node:process';
import { startService } from './main.ts';

/** Pause between the batches of a task, in ms. Long enough to watch its progress. */
const watchableDelay = 400;

const { url, users, adminToken } = await startService({ profile: 'next', batchDelayMillis: watchableDelay });
stdout.write(`${JSON.stringify({ url, user: users.admin.urn, token: adminToken })}\n`);
