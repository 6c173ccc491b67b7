import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { browserProgram } from './browserProgram.ts';

/** Flags that keep a browser quiet, and let it start in a container and as root. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export type BrowserOptions = {
  /** Fonts that are the same on each machine, where the browser brings some along. */
  readonly ownFonts?: boolean;
};

/** Starts a headless browser, which the caller closes. */
export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const { executablePath, env, ownFonts = env } = await browserProgram();
  return chromium.launch({
    executablePath,
    args: FLAGS,
    env: { ...process.env, ...(options.ownFonts === true ? ownFonts : env) } as Record<string, string>,
    // Playwright's own handlers would end this process before its servers are stopped.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

export type PersonOptions = {
  readonly width?: number;
  readonly height?: number;
  readonly scale?: number;
  /** IANA name; the machine's by default. */
  readonly timeZone?: string;
};

/**
 * A person's browser profile: windows of one person share secrets and the clipboard, those of two do not share secrets.
 */
export async function newPerson(browser: Browser, options: PersonOptions = {}): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    deviceScaleFactor: options.scale ?? 1,
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
    locale: 'en-US',
    // VS Code compresses all that it sends: on one machine that costs more than it saves.
    extraHTTPHeaders: { 'accept-encoding': 'identity' },
    ...(options.timeZone === undefined ? {} : { timezoneId: options.timeZone }),
  });
}

/**
 * Lets the windows of a person take each message of VS Code's connection as bytes. VS Code takes it as a Blob and reads that through
 * two more processes, a quarter of all that windows cost.
 */
export async function readMessagesAsBytes(person: BrowserContext): Promise<void> {
  await person.addInitScript(takeBytes);
}

/** Runs in the page. */
function takeBytes(): void {
  globalThis.WebSocket = class extends WebSocket {
    constructor(...parts: ConstructorParameters<typeof WebSocket>) {
      super(...parts);
      this.binaryType = 'arraybuffer';
    }
  };
  const { readAsArrayBuffer } = FileReader.prototype;
  FileReader.prototype.readAsArrayBuffer = function read(data: Blob | ArrayBuffer): void {
    const ended = { target: { result: data } } as unknown as ProgressEvent<FileReader>;
    if (data instanceof ArrayBuffer) this.onload?.(ended);
    else readAsArrayBuffer.call(this, data);
  };
}
