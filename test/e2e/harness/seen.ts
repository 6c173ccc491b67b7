import type { BrowserContext, Page } from 'playwright-core';

/** Reports the texts of a page to the test. */
type Telling = typeof globalThis & { tellSeen?: (texts: readonly string[]) => Promise<void>; flushSeen?: () => void };

/** Text and markup that a user's windows showed, however briefly. */
export type Seen = {
  /** Every text so far, each once. */
  texts(): Promise<readonly string[]>;
};

/**
 * Watches all windows of a user and their webviews from now on: notifications, progress, quick picks, questions,
 * hovers, pages. Includes current texts.
 */
export async function watchEverything(person: BrowserContext): Promise<Seen> {
  const seen = new Set<string>();
  await person.exposeFunction('tellSeen', (texts: readonly string[]) => {
    for (const text of texts) seen.add(text);
  });
  await person.addInitScript(tellWhatIsShown);
  for (const frame of person.pages().flatMap((page) => page.frames())) await frame.evaluate(tellWhatIsShown);
  return {
    texts: async () => {
      await Promise.all(person.pages().map(flush));
      return [...seen];
    },
  };
}

async function flush(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    // A frame may disappear while it is read, but has reported its texts by then.
    await frame.evaluate(() => (globalThis as Telling).flushSeen?.()).catch(() => undefined);
  }
}

/** Runs in each document. */
function tellWhatIsShown(): void {
  const page = globalThis as Telling;
  if (page.flushSeen !== undefined) return;
  const dull = new Set(['class', 'style', 'd', 'id', 'transform', 'tabindex', 'draggable']);
  let waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  page.flushSeen = () => {
    clearTimeout(timer);
    timer = undefined;
    const texts = [...waiting];
    waiting = new Set();
    if (texts.length > 0) void page.tellSeen?.(texts);
  };
  const note = (text: string | null): void => {
    if (text === null || text === '') return;
    waiting.add(text);
    timer ??= setTimeout(() => page.flushSeen?.(), 100);
  };
  const look = (node: Node): void => {
    note(node instanceof Element ? node.outerHTML : node.textContent);
    // Whole text, because markup may split a word.
    if (node instanceof Element) note(node.textContent);
  };
  const observer = new MutationObserver((records) => {
    for (const { type, target, attributeName, addedNodes } of records) {
      if (type === 'childList') addedNodes.forEach(look);
      else if (type === 'characterData') note(target.textContent);
      else if (target instanceof Element && attributeName !== null && !dull.has(attributeName))
        note(target.getAttribute(attributeName));
    }
  });
  const watch = (root: Node): void =>
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  watch(document);
  look(document.documentElement ?? document);
  // Watches shadow trees of custom elements too.
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachWatched(init) {
    const root = attach.call(this, init);
    watch(root);
    return root;
  };
  addEventListener('pagehide', () => page.flushSeen?.());
}
