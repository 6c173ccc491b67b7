/** Keeps what gets the focus clear of a header and a footer that stay in sight: the page scrolls it to where they end. */

/**
 * @param page Holds them; they may come and go with each update.
 * @returns What looks for them again; it ends with the page.
 */
export function stickyEdges(page: HTMLElement): () => void {
  const sizes = new ResizeObserver(measure);
  const edges = (): readonly (HTMLElement | null)[] => [page.querySelector('header'), page.querySelector('footer')];
  function measure(): void {
    const [top = 0, bottom = 0] = edges().map((edge) =>
      edge !== null && getComputedStyle(edge).position === 'sticky' ? edge.offsetHeight : 0,
    );
    document.documentElement.style.scrollPaddingBlock = `${top}px ${bottom}px`;
  }
  return () => {
    for (const edge of edges()) {
      if (edge !== null) {
        sizes.observe(edge);
      }
    }
  };
}
