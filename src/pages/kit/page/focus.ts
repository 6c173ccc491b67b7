/** Moves the focus to what the user was waiting for. */

/** Focuses a heading, and scrolls its part into view. */
export function focusHeading(page: HTMLElement, heading: HTMLElement): void {
  heading.focus({ preventScroll: true });
  // The next step and the buttons of a failure are below its heading.
  scrollIntoPage(heading.closest('.callout') ?? heading, page);
}

/** Scrolls the page alone: browsers' own functions would move VS Code's frames around it too, by some pixels. */
function scrollIntoPage(part: Element, page: HTMLElement): void {
  const { top, bottom } = part.getBoundingClientRect();
  const header = page.querySelector<HTMLElement>('header');
  const upper = header === null || getComputedStyle(header).position === 'static' ? 0 : header.offsetHeight;
  const below = bottom - window.innerHeight;
  const above = top - upper;
  window.scrollBy(0, above < 0 ? above : Math.max(0, Math.min(below, above)));
}

/** Waits until the window has the focus, so that a restored page doesn't take it from another editor. */
export function onceWindowFocused(focus: () => void): void {
  if (document.hasFocus()) {
    focus();
  } else {
    window.addEventListener('focus', focus, { once: true });
  }
}
