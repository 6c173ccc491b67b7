import type { FrameLocator, Locator, Page } from 'playwright-core';

/** Resizes the window so that the webview's page has this width, in px. */
export async function setPageWidth(page: Page, webview: FrameLocator, width: number): Promise<void> {
  const { width: windowWidth, height } = page.viewportSize() ?? { width: 1280, height: 800 };
  const now = await webview.locator('html').evaluate(() => innerWidth);
  await page.setViewportSize({ width: windowWidth + width - now, height });
  await webview.locator('html').evaluate(
    (_, wanted) =>
      new Promise<void>((resolve) => {
        const look = (): void => (innerWidth === wanted ? resolve() : void requestAnimationFrame(look));
        look();
      }),
    width,
  );
}

/** Waits until the fonts of a webview's page are loaded and its layout is the same for some frames. */
export function layoutIsSettled(webview: FrameLocator): Promise<void> {
  return webview.locator('body').evaluate(async (body) => {
    const layout = (): string =>
      [...body.querySelectorAll('main *')]
        .map((element) => element.getBoundingClientRect())
        .map(({ left, top, width, height }) => [left, top, width, height].join(' '))
        .join('\n');
    const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    await document.fonts.ready;
    let before = '';
    for (let alike = 0; alike < 5;) {
      const now = layout();
      alike = now === before ? alike + 1 : 0;
      before = now;
      await nextFrame();
    }
  });
}

/** Focused elements that a fixed header or footer covers. The focus ends where it began. */
export function coveredFocus(webview: FrameLocator): Promise<string[]> {
  return webview.locator('body').evaluate((body) => {
    const before = document.activeElement;
    const edges = [...body.querySelectorAll('header, footer')].filter(
      (edge) => getComputedStyle(edge).position !== 'static',
    );
    const faults: string[] = [];
    const stops = [...body.querySelectorAll<HTMLElement>('main :is(button, input, select, summary, [tabindex])')];
    // Goes up and down, because the header can only cover an element that is reached from below.
    for (const stop of [...stops, ...stops.toReversed()]) {
      if (!stop.checkVisibility() || edges.some((edge) => edge.contains(stop))) continue;
      stop.focus();
      const { top, bottom } = stop.getBoundingClientRect();
      const isCovered = edges.some((edge) => {
        const box = edge.getBoundingClientRect();
        return top < box.bottom - 1 && bottom > box.top + 1;
      });
      if (isCovered) faults.push(`<${stop.localName}> "${stop.id || stop.textContent.trim()}" is covered`);
    }
    if (before instanceof HTMLElement) before.focus();
    return faults;
  });
}

/** Parts of a webview's page that cannot be read at its width, because they overflow or are cut off. */
export function clippedParts(webview: FrameLocator): Promise<string[]> {
  return webview.locator('body').evaluate((body) => {
    const faults: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`the page scrolls sideways: ${scrollWidth} of ${clientWidth} px`);
    for (const element of body.querySelectorAll<HTMLElement>('main *')) {
      // A collapsed element keeps the box of an earlier width.
      if (!element.checkVisibility({ contentVisibilityAuto: true })) continue;
      const box = element.getBoundingClientRect();
      const { overflowX, clipPath, position } = getComputedStyle(element);
      // Elements for screen readers only are one pixel large.
      if (box.width <= 1 || box.height <= 1 || (position === 'absolute' && clipPath !== 'none')) continue;
      const name = `<${element.localName} ${element.className}> "${element.textContent.trim().slice(0, 60)}"`;
      if (box.right > clientWidth + 1 || box.left < -1) faults.push(`${name} sticks out`);
      if (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) faults.push(`${name} is cut off`);
    }
    return faults;
  });
}

/** Rows with content that does not fit, by their accessible name or text. */
export function tooWide(rows: Locator): Promise<string[]> {
  return rows.evaluateAll((all) =>
    all
      .filter((row) =>
        [row, ...row.querySelectorAll('*')].some(
          (part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0,
        ),
      )
      .map((row) => row.ariaLabel ?? row.textContent),
  );
}

/** Characters of a text in visual order, line by line, without white space. */
export function fromLeftToRight(place: Locator): Promise<string> {
  return place.evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const seen: { readonly character: string; readonly box: DOMRect }[] = [];
    while (walker.nextNode() !== null) {
      const text = walker.currentNode as Text;
      [...text.data].forEach((character, index) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + 1);
        if (/[^\s\p{Cf}]/u.test(character)) seen.push({ character, box: range.getBoundingClientRect() });
      });
    }
    return seen
      .toSorted(({ box: a }, { box: b }) =>
        // Fonts on the same line differ slightly in height.
        Math.abs(a.bottom - b.bottom) > a.height / 2 ? a.bottom - b.bottom : a.left - b.left,
      )
      .map(({ character }) => character)
      .join('');
  });
}
