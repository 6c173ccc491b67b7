// Runs a command until standard input closes: when the starting process ends, in any way, the command ends too, with
// everything that it started. Servers don't know the program that started them.
//
// node guard.mjs command [arguments…]
import { spawn, spawnSync } from 'node:child_process';

const [command, ...rest] = process.argv.slice(2);
const child = spawn(command, rest, { stdio: ['ignore', 'inherit', 'inherit'] });

// A signal to the group also reaches the command. This waits until that has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.stdin.on('end', endGroup).on('error', endGroup).resume();
child.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
child.on('exit', (code) => process.exit(code ?? 1));

function endGroup() {
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(process.pid), '/T', '/F']);
  else process.kill(-process.pid, 'SIGKILL');
}
