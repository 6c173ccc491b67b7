import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { browserProgram } from './browserProgram.ts';

/** Flags that prevent interruptions, and let a browser start in a container and as root. */
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
  /** Uses fonts that are the same on each machine, if the browser has its own. */
  readonly ownFonts?: boolean;
};

/** Starts a headless browser, which the caller closes. */
export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const { executablePath, env, ownFonts = env } = await browserProgram();
  return chromium.launch({
    executablePath,
    args: FLAGS,
    env: { ...process.env, ...(options.ownFonts === true ? ownFonts : env) } as Record<string, string>,
    // Playwright's own handlers would end this process too early.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

export type PersonOptions = {
  readonly width?: number;
  readonly height?: number;
  readonly scale?: number;
  /** IANA name. The machine's own by default. */
  readonly timeZone?: string;
};

/**
 * A user's browser profile. Windows of one user share secrets and the clipboard, those of different users share no
 * secrets.
 */
export async function newPerson(browser: Browser, options: PersonOptions = {}): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    deviceScaleFactor: options.scale ?? 1,
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
    locale: 'en-US',
    // VS Code compresses everything that it sends. On one machine that costs more than it saves.
    extraHTTPHeaders: { 'accept-encoding': 'identity' },
    ...(options.timeZone === undefined ? {} : { timezoneId: options.timeZone }),
  });
}

/**
 * Delivers the messages of VS Code's connection as bytes in a user's windows. VS Code reads each Blob through two
 * more processes, which takes a quarter of the windows' time.
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
