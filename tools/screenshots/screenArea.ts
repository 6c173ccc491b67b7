import type { Locator } from 'playwright-core';

/** A part of the window, in px. */
export type ScreenArea = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** @throws if the element isn't visible */
export async function areaOf(element: Locator): Promise<ScreenArea> {
  const area = await element.boundingBox();
  if (area === null) throw new Error(`${element} is not visible.`);
  return area;
}
