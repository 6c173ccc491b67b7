import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A started server that has reported that it is ready. */
export type RunningProcess = {
  readonly pid: number;
  /** Match of `ready` in its output. */
  readonly match: RegExpExecArray;
  /** Last part of its output so far. */
  output(): string;
  /** Ends it and its children. Resolves when it has ended. */
  stop(): Promise<void>;
};

export type ProcessOptions = {
  /** Used in messages, such as `VS Code`. */
  readonly name: string;
  readonly command: string;
  readonly arguments: readonly string[];
  /** Its whole environment. This process's own by default. */
  readonly env?: Record<string, string | undefined>;
  /** Matches its output once it is ready. */
  readonly ready: RegExp;
};

const GRACE_MS = 5_000;
const KEPT_CHARACTERS = 20_000;
const guard = fileURLToPath(new URL('guard.mjs', import.meta.url));

/**
 * Starts a server and waits until it reports that it is ready.
 *
 * @throws with the end of its output if it ends before that
 */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const child = spawn(process.execPath, [guard, options.command, ...options.arguments], {
    env: options.env ?? process.env,
    // The pipe to its standard input closes when this process ends, in any way. Then the guard ends the group.
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group, so that one signal also reaches its children: servers fork extension hosts.
    detached: process.platform !== 'win32',
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let output = '';
  const match = await new Promise<RegExpExecArray>((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-KEPT_CHARACTERS);
      const found = options.ready.exec(output);
      if (found) resolve(found);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('error', (error) => reject(new Error(`${options.name} could not be started: ${error.message}`)));
    child.once('close', () => reject(new Error(`${options.name} ended before it was ready:\n${output.slice(-2_000)}`)));
  });
  return {
    pid: child.pid ?? 0,
    match,
    output: () => output,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      signalTree(child, 'SIGTERM');
      const killer = setTimeout(() => signalTree(child, 'SIGKILL'), GRACE_MS);
      await ended;
      clearTimeout(killer);
      // The group may outlive its first process.
      signalTree(child, 'SIGKILL');
    },
  };
}

function signalTree(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Already ended.
  }
}
