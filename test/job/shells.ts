import { access, constants, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { env } from 'node:process';
import { after, type TestContext } from 'node:test';

/** A shell that runs the script, with the programs that it finds there. */
export interface JobShell {
  readonly name: string;
  readonly command: string;
  readonly leadingArguments: readonly string[];
  /** The only folder of its PATH. */
  readonly tools: string;
}

/** All that the script needs, beside a shell's own commands. */
const TOOLS = ['curl', 'awk', 'sed', 'date', 'cat', 'mkdir', 'mv', 'rm', 'sleep'] as const;

/** A shell, or the reason why it's not here. */
export type FoundShell = JobShell | { readonly name: string; readonly missing: string };

const folder = await mkdtemp(join(tmpdir(), 'job-shells-'));
after(() => rm(folder, { recursive: true, force: true }));

/** The shell in which everything is tried. */
export const DASH: FoundShell = await dash();
/** Those in which only is tried what they could do otherwise. */
export const OTHER_SHELLS: readonly FoundShell[] = [await busybox(), await bash()];

/** Body of a test in a shell. One that isn't here skips the test. */
export function inShell(
  shell: FoundShell,
  body: (context: TestContext, shell: JobShell) => Promise<void>,
): (context: TestContext) => Promise<void> {
  return async (context) => {
    if ('missing' in shell) context.skip(shell.missing);
    else await body(context, shell);
  };
}

/** Debian's `sh`, or the `sh` of another system. */
async function dash(): Promise<FoundShell> {
  const command = (await findProgram('dash')) ?? (await findProgram('sh'));
  return command === null ? missing('dash') : ofSystem('dash', command);
}

async function bash(): Promise<FoundShell> {
  const command = await findProgram('bash');
  return command === null ? missing('bash') : ofSystem('bash', command);
}

async function busybox(): Promise<FoundShell> {
  const command = await findProgram('busybox');
  const curl = await findProgram('curl');
  if (command === null || curl === null) return missing('busybox');
  const targets = ['sh', ...TOOLS].map((tool) => [tool, tool === 'curl' ? curl : command] as const);
  return { name: 'busybox', command, leadingArguments: ['sh'], tools: await linked('busybox', targets) };
}

/** With the system's programs, but only those that the script is known to need. */
async function ofSystem(name: string, command: string): Promise<FoundShell> {
  const targets: [tool: string, target: string][] = [['sh', command]];
  for (const tool of TOOLS) {
    const target = await findProgram(tool);
    if (target === null) return missing(name, `${tool} is missing`);
    targets.push([tool, target]);
  }
  return { name, command, leadingArguments: [], tools: await linked(name, targets) };
}

async function linked(name: string, targets: readonly (readonly [tool: string, target: string])[]): Promise<string> {
  const tools = join(folder, name);
  await mkdir(tools);
  await Promise.all(targets.map(([tool, target]) => symlink(target, join(tools, tool))));
  return tools;
}

/** Path of a program in a folder of the PATH. */
async function findProgram(name: string): Promise<string | null> {
  const places = (env['PATH'] ?? '').split(delimiter).filter((one) => one !== '');
  for (const place of places) {
    const path = resolve(place, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return null;
}

function missing(name: string, reason = 'it is not on this machine'): FoundShell {
  const isWindows = process.platform === 'win32';
  return { name, missing: isWindows ? 'Windows has no POSIX shell of its own' : `no ${name}: ${reason}` };
}
