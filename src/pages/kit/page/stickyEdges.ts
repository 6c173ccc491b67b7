/**
 * Keeps focused elements clear of the header and footer that stay in view by setting the page's scroll padding, and gives their
 * heights to other sticky parts as `--sticky-top` and `--sticky-bottom`.
 * @param page Holds them; they may come and go with each update.
 * @returns a function to call after each update. Everything ends with the page.
 */
export function trackStickyEdges(page: HTMLElement): () => void {
  const sizes = new ResizeObserver(measureEdges);
  const stickyEdges = (): readonly (HTMLElement | null)[] => [
    page.querySelector('header'),
    page.querySelector('footer'),
  ];
  function measureEdges(): void {
    const [top = 0, bottom = 0] = stickyEdges().map((edge) =>
      edge !== null && getComputedStyle(edge).position !== 'static' ? edge.offsetHeight : 0,
    );
    const { style } = document.documentElement;
    style.scrollPaddingBlock = `${top}px ${bottom}px`;
    style.setProperty('--sticky-top', `${top}px`);
    style.setProperty('--sticky-bottom', `${bottom}px`);
  }
  return () => {
    for (const edge of stickyEdges()) {
      if (edge !== null) {
        sizes.observe(edge);
      }
    }
  };
}
