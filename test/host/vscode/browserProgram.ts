import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installOnce } from './install.ts';

const run = promisify(execFile);

export type BrowserProgram = {
  readonly executablePath: string;
  /** Environment in addition to the process's own. */
  readonly env: Record<string, string>;
  /** Environment that limits headless Chromium to its package's fonts. */
  readonly ownFonts?: Record<string, string>;
};

/** Value of `CHROME_PATH` that requires the headless Chromium. */
const BUNDLED = 'bundled';

const NAMES = [
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'chrome',
  'msedge',
  'microsoft-edge',
];

const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * The browser named by `CHROME_PATH`, otherwise an installed one, otherwise a headless Chromium that is installed on
 * first use. `CHROME_PATH=bundled` requests that one explicitly.
 *
 * @throws if there is none and none can be installed
 */
export async function browserProgram(): Promise<BrowserProgram> {
  const named = process.env['CHROME_PATH'];
  if (named !== undefined && named !== '' && named !== BUNDLED) {
    if (!existsSync(named)) throw new Error(`CHROME_PATH names ${named}, which does not exist.`);
    return { executablePath: named, env: {} };
  }
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const installed = named === BUNDLED ? undefined : [...onPath, ...PLACES].find((path) => existsSync(path));
  if (installed !== undefined) return { executablePath: installed, env: {} };
  if (process.platform === 'linux' && process.arch === 'x64') return headlessChromium();
  throw new Error('No Chrome, Chromium or Edge was found. Install one, or name one in CHROME_PATH.');
}

async function headlessChromium(): Promise<BrowserProgram> {
  const folder = join(
    await installOnce(fileURLToPath(new URL('chromium', import.meta.url)), unpackChromium),
    'chromium',
  );
  const executablePath = join(folder, 'chromium');
  const candidates: Record<string, string>[] = [{}, { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }];
  for (const env of candidates) {
    try {
      await run(executablePath, ['--version'], { env: { ...process.env, ...env } });
      const ownFonts = { ...env, FONTCONFIG_FILE: join(folder, 'fonts.conf') };
      return { executablePath, env: hasFonts() ? env : ownFonts, ownFonts };
    } catch {
      // A library is missing, so try those of the package.
    }
  }
  throw new Error('The headless Chromium does not start here. Install Chrome or Chromium, or name one in CHROME_PATH.');
}

/** The package unpacks into the folder for temporary files, which is therefore set to our own. */
async function unpackChromium(folder: string): Promise<void> {
  const target = join(folder, 'chromium');
  const script = `
    import { mkdirSync } from 'node:fs';
    import { inflate } from '@sparticuz/chromium';
    mkdirSync(process.env.TMPDIR, { recursive: true });
    for (const name of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']) {
      await inflate('node_modules/@sparticuz/chromium/bin/' + name);
    }`;
  await run(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    env: { ...process.env, TMPDIR: target },
  });
  await writeFile(
    join(target, 'fonts.conf'),
    '<?xml version="1.0"?><fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n',
  );
}

/** Without any font a page is blank. The package includes one family for such machines. */
function hasFonts(): boolean {
  const folders = [
    '/usr/share/fonts',
    '/usr/local/share/fonts',
    join(homedir(), '.fonts'),
    join(homedir(), '.local/share/fonts'),
  ];
  const isFont = (name: string): boolean => /\.(ttf|otf|ttc|pfb)$/.test(name);
  return folders.some(
    (folder) => existsSync(folder) && readdirSync(folder, { recursive: true, encoding: 'utf8' }).some(isFont),
  );
}
