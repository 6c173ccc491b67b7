// Every command of this repository starts here, on whatever Node.js (20 or later) the machine has: install what is missing,
// then run the given TypeScript program on the Node.js 24 that came with the install. Without a program it only installs.
//
//   node tools/bootstrap.mjs [program.ts [arguments…]]
//
// Plain JavaScript, and nothing but Node.js's own modules: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const NEEDED_MAJOR = 24;

try {
  if (!isInstalled()) await install();
  if (!isLinked()) await npm(['rebuild']);
} catch (error) {
  fail(error.message);
}
const [program, ...rest] = process.argv.slice(2);
if (program !== undefined) run(newestNode(), program, rest);

/**
 * Is every package of the lock file in node_modules, in that version? Compares contents, not times: a clone, a
 * checkout and an `npm install` each touch the two files in another order.
 */
function isInstalled() {
  const installed = packages('node_modules/.package-lock.json');
  const wanted = Object.entries(packages('package-lock.json'));
  return wanted.every(([path, { version, optional, devOptional }]) => {
    const found = installed[path];
    if (path === '') return true;
    return found ? found.version === version : Boolean(optional || devOptional);
  });
}

function packages(file) {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}

async function install() {
  // Not on standard output, which may be redirected to a file for the program's output.
  console.error('Installing dependencies…');
  const wanted = Object.entries(packages('package-lock.json')).filter(isForEveryPlatform);
  const drawing = process.stderr.isTTY ? setInterval(drawBar, 500, wanted, Date.now()) : undefined;
  try {
    await npm(['ci']);
  } finally {
    clearInterval(drawing);
    if (drawing !== undefined) console.error();
  }
}

/** Others are installed or not, so the bar does not count them. */
function isForEveryPlatform([path, { optional, link }]) {
  return path !== '' && !optional && !link;
}

/** Draws a bar of the packages that npm has unpacked, over the one before. */
function drawBar(wanted, startedAt) {
  const unpacked = wanted.filter(([path]) => existsSync(join(root, path, 'package.json'))).length;
  const filled = Math.round((24 * unpacked) / wanted.length);
  const bar = '█'.repeat(filled) + '░'.repeat(24 - filled);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  process.stderr.write(`\r${bar}  ${unpacked}/${wanted.length}  ${seconds} s`);
}

/**
 * Is the installed Node.js where npm's scripts look for commands? npm 10 removes its link together with those of the
 * other platforms' packages, which it does not install.
 */
function isLinked() {
  return installedNode() === undefined || existsSync(join(root, 'node_modules', '.bin', 'node'));
}

async function npm(npmArguments) {
  const runningNpm = process.env.npm_execpath;
  const npmItself = runningNpm !== undefined && basename(runningNpm).startsWith('npm');
  const [command, prefix] = npmItself ? [process.execPath, [runningNpm]] : ['npm', []];
  // Some dependencies require a newer Node.js than the machine may have. They run on the installed one.
  const options = ['--engine-strict=false', '--loglevel=error', '--progress=false'];
  // Tools are development dependencies, which NODE_ENV=production leaves out, and Node.js 24 is an optional one.
  options.push('--include=dev', '--include=optional');
  const child = spawn(command, [...prefix, ...npmArguments, ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: !npmItself && process.platform === 'win32',
  });
  const problem = await new Promise((resolve) => {
    child.on('error', ({ message }) => resolve(`: ${message}`));
    child.on('close', (code) => resolve(code === 0 ? undefined : '.'));
  });
  if (problem !== undefined)
    throw new Error(`The dependencies could not be installed${problem} Is the npm registry within reach?`);
}

/** The Node.js installed for this platform, or the machine's own if it is new enough. */
function newestNode() {
  const installed = installedNode();
  if (installed !== undefined) return installed;
  if (Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR) return process.execPath;
  return fail(
    `No Node.js ${NEEDED_MAJOR} for ${process.platform} ${process.arch} is among the dependencies: install it, then try again.`,
  );
}

function installedNode() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  const paths = Object.keys(optionalDependencies).map((name) => join(root, 'node_modules', name, 'bin', executable));
  return paths.find((path) => existsSync(path));
}

function run(node, entry, entryArguments) {
  const nodeArguments = ['--disable-warning=ExperimentalWarning', join(root, entry), ...entryArguments];
  const child = spawn(node, nodeArguments, { cwd: root, stdio: 'inherit' });
  // Stay until the child has cleaned up. It may get a signal twice, from the terminal and from here.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
