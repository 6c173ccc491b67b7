import type { FrameLocator } from 'playwright-core';

/** Elements with running animations, including those in shadow trees. */
export function runningAnimations(page: FrameLocator): Promise<string[]> {
  return page.locator('body').evaluate((body) => {
    const within = (root: Element | ShadowRoot): Element[] => {
      const elements = [...root.querySelectorAll('*')];
      const roots = elements.map(({ shadowRoot }) => shadowRoot).filter((shadow) => shadow !== null);
      return elements.concat(roots.flatMap(within));
    };
    return within(body).flatMap((element) =>
      element
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .map(() => element.localName + [...element.classList].map((one) => `.${one}`).join('')),
    );
  });
}
