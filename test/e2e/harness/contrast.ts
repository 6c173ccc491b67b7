import type { FrameLocator, Page } from 'playwright-core';

/** Minimum contrast of lines that show a control or the focus (WCAG 2.2, 1.4.11 and 2.4.13). */
const LEAST_RATIO = 3;

/** Enabled controls with too little contrast to their surroundings, with their contrast. Axe only checks text. */
export async function faintControls(page: FrameLocator): Promise<string[]> {
  return tooFaint(await page.locator('body').evaluate(measure, 'edges'));
}

/** Elements whose focus is hard to see. The focus goes through all of them, as by keyboard, and ends where it began. */
export async function faintFocusRings(window: Page, page: FrameLocator): Promise<string[]> {
  // Elements focused by key show their ring, and so do those focused by a script afterwards.
  await page.locator('body').evaluate(() => document.querySelector('button')?.focus());
  await window.keyboard.press('Shift');
  return tooFaint(await page.locator('body').evaluate(measure, 'rings'));
}

type Line = { readonly what: string; readonly ratio: number };

function tooFaint(lines: readonly Line[]): string[] {
  if (lines.length === 0) throw new Error('There is nothing to measure.');
  return lines.filter(({ ratio }) => ratio < LEAST_RATIO).map(({ what, ratio }) => `${what}: ${ratio.toFixed(2)}`);
}

/** Runs in the page. */
function measure(body: Element, which: string): Line[] {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('The browser has no canvas.');
  type Paint = { readonly colour: string; readonly opacity?: number };
  /** Luminance of colours painted on top of each other. */
  const luminance = (paints: readonly Paint[]): number => {
    for (const { colour, opacity = 1 } of paints) {
      context.globalAlpha = opacity;
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (a: readonly Paint[], b: readonly Paint[]): number => {
    const [dark, light] = [luminance(a), luminance(b)].toSorted((one, other) => one - other) as [number, number];
    return (light + 0.05) / (dark + 0.05);
  };
  const editor = getComputedStyle(document.documentElement).getPropertyValue('--vscode-editor-background');
  /** Colours below an element, the editor behind the webview first. */
  const behind = (element: Element): Paint[] =>
    element.parentElement === null
      ? [{ colour: editor }]
      : [...behind(element.parentElement), { colour: getComputedStyle(element.parentElement).backgroundColor }];
  const name = (element: Element): string =>
    `${element.tagName.toLowerCase()} ${element.id === '' ? element.textContent.trim() : `#${element.id}`}`;

  const edge = (element: Element): Line => {
    const style = getComputedStyle(element);
    const outside = behind(element);
    const fill = [...outside, { colour: style.backgroundColor }];
    const hasBorder = style.borderTopStyle !== 'none' && Number.parseFloat(style.borderTopWidth) > 0;
    const border = hasBorder ? [...fill, { colour: style.borderTopColor }] : fill;
    return { what: name(element), ratio: Math.max(contrast(fill, outside), contrast(border, outside)) };
  };
  const ring = (element: HTMLElement): Line => {
    element.focus();
    const style = getComputedStyle(element);
    const outside = behind(element);
    const isDrawn = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1;
    const line: Paint = { colour: style.outlineColor, opacity: Number(style.opacity) };
    // A ring on the border surrounds the control's own colour.
    const isInset = Number.parseFloat(style.outlineOffset) < 0;
    const inside = isInset ? [...outside, { colour: style.backgroundColor }] : outside;
    return {
      what: name(element),
      ratio: isDrawn ? Math.min(contrast([...outside, line], outside), contrast([...inside, line], inside)) : 1,
    };
  };
  // Headings have no ring: only the page focuses them.
  const found = [...body.querySelectorAll<HTMLElement>('button, input, select, summary, [tabindex]:not(h2)')].filter(
    (element) => element.checkVisibility() && !element.matches(':disabled'),
  );
  if (which === 'edges') {
    return (
      found
        // A link is seen by its text and its line.
        .filter((element) => element.matches('button:not(.link), input, select') && element.ariaDisabled !== 'true')
        .map(edge)
    );
  }
  const before = document.activeElement;
  const rings = found.map(ring);
  if (before instanceof HTMLElement) before.focus();
  return rings;
}
