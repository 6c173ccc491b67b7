import type { Frame, Page } from 'playwright-core';

/**
 * The focused element, searched through all frames, for messages of failures. For example `input.input in
 * div.quick-input-widget`.
 */
export async function focusedElement(page: Page): Promise<string> {
  const names = await Promise.all(page.frames().map(focusedIn));
  return names.filter((name) => name !== undefined).join(', in it ') || 'no element';
}

/** Undefined for a frame without the focus, or one that was removed meanwhile. */
function focusedIn(frame: Frame): Promise<string | undefined> {
  return frame
    .evaluate(() => {
      const nameOf = (element: Element): string =>
        [element.localName, element.id, ...element.classList].filter((part) => part !== '').join('.');
      const { activeElement } = document;
      if (!document.hasFocus() || activeElement === null) return undefined;
      const around = activeElement.closest('.part, .quick-input-widget, .monaco-dialog-box, .context-view');
      return around === null || around === activeElement
        ? nameOf(activeElement)
        : `${nameOf(activeElement)} in ${nameOf(around)}`;
    })
    .catch(() => undefined);
}
