import { chromium } from 'playwright-core';
import type { Browser, BrowserContext } from 'playwright-core';
import { browserProgram } from './browserProgram.ts';

/** What keeps a browser quiet, and lets it start in a container and as root. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a headless browser. Whoever starts it closes it. */
export async function openBrowser(): Promise<Browser> {
  const { executablePath, env } = await browserProgram();
  return chromium.launch({
    executablePath,
    args: FLAGS,
    env: { ...process.env, ...env } as Record<string, string>,
    // Playwright's own handlers would end this process before its servers are stopped.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

export type PersonOptions = { readonly width?: number; readonly height?: number; readonly scale?: number };

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
  });
}
