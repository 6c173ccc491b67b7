import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { Frame } from './gif.ts';
import { readPng } from './png.ts';
import { areaOf } from './screenArea.ts';

/** A place in the window, in px. */
type Point = { readonly x: number; readonly y: number };

/** Time between two looks at a window that may still be drawing, in ms, and the number of looks at most. */
const LOOK_AGAIN_MS = 120;
const MOST_LOOKS = 40;

/** Frames of a movement of the pointer, and how long each is shown, in ms. */
const GLIDE_STEPS = 7;
const GLIDE_MILLIS = 40;
/** The pointer rests this long before it presses, in ms. */
const AIM_MILLIS = 250;
/** Frames of an element that is dragged, and how long each is shown, in ms: each redraws most of the page. */
const DRAG_STEPS = 4;
const DRAG_MILLIS = 400;
/** An empty field is shown this long, in ms. */
const FIELD_MILLIS = 600;
/** Characters that appear at once, and how long they are shown, in ms. */
const TYPED_TOGETHER = 2;
const TYPED_MILLIS = 90;

const POINTER_ID = 'film-pointer';
/** An arrow with its tip at 0,0. */
const ARROW = `url('data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"><path fill="white" stroke="black"
 stroke-linejoin="round" d="M1 1V18.2L5.2 14.4L8.1 21L11 19.8L8.1 13.3H13.6Z"/></svg>')`;
const POINTER_STYLE = `position: fixed; left: -1px; top: -1px; width: 20px; height: 24px; pointer-events: none;
 z-index: 2147483647; background: ${ARROW.replaceAll('\n', '')}`;

/**
 * Films a window in single pictures. Each is taken once the window has come to rest, and is shown for a given time,
 * however long the machine took. A browser's pictures have no pointer, so one is drawn.
 */
export class Camera {
  readonly frames: Frame[] = [];
  readonly #page: Page;
  #pointer: Point;

  private constructor(page: Page, pointer: Point) {
    this.#page = page;
    this.#pointer = pointer;
  }

  /** Puts the pointer somewhere in the window. */
  static async open(page: Page, pointer: Point): Promise<Camera> {
    await page.evaluate(drawPointer, { id: POINTER_ID, style: POINTER_STYLE });
    const camera = new Camera(page, pointer);
    await camera.#point(pointer);
    return camera;
  }

  /** Shows the window as it is now. */
  async show(millis: number): Promise<void> {
    let [before, now] = [await this.#picture(), await this.#picture()];
    for (let looks = 2; !now.equals(before); looks += 1) {
      if (looks > MOST_LOOKS) throw new Error('The window does not come to rest.');
      await pause(LOOK_AGAIN_MS);
      [before, now] = [now, await this.#picture()];
    }
    this.frames.push({ picture: readPng(now), millis });
  }

  /** The icon of a running truncation never stops turning. */
  #picture(): Promise<Buffer> {
    return this.#page.screenshot({ animations: 'disabled' });
  }

  /** Moves the pointer to the middle of an element, and presses it there. */
  async press(target: Locator): Promise<void> {
    await this.glide(await middleOf(target));
    await this.show(AIM_MILLIS);
    await this.#page.mouse.down();
    await this.#page.mouse.up();
  }

  /** Drags an element sideways, by this many px; negative is to the left. */
  async drag(target: Locator, distance: number): Promise<void> {
    await this.glide(await middleOf(target));
    await this.show(AIM_MILLIS);
    await this.#page.mouse.down();
    const { x, y } = this.#pointer;
    await this.#move({ x: x + distance, y }, DRAG_STEPS, DRAG_MILLIS);
    await this.#page.mouse.up();
  }

  /** Moves the pointer. */
  glide(to: Point): Promise<void> {
    return this.#move(to, GLIDE_STEPS, GLIDE_MILLIS);
  }

  /** Types a text into a field. The pointer is hidden until it moves again, since it would cover the text. */
  async type(field: Locator, text: string): Promise<void> {
    await this.#style('visibility', 'hidden');
    await this.show(FIELD_MILLIS);
    for (let at = 0; at < text.length; at += TYPED_TOGETHER) {
      await field.pressSequentially(text.slice(at, at + TYPED_TOGETHER));
      await this.show(TYPED_MILLIS);
    }
  }

  /** Moves the pointer fast at first and slowly in the end, as a hand does. */
  async #move(to: Point, steps: number, millis: number): Promise<void> {
    const from = this.#pointer;
    await this.#style('visibility', 'visible');
    for (let step = 1; step <= steps; step += 1) {
      const part = 1 - (1 - step / steps) ** 2;
      await this.#point({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });
      await this.show(millis);
    }
  }

  async #point({ x, y }: Point): Promise<void> {
    this.#pointer = { x, y };
    await this.#page.mouse.move(x, y);
    await this.#style('transform', `translate(${x}px, ${y}px)`);
  }

  /** Changes the look of the pointer. */
  async #style(property: 'transform' | 'visibility', value: string): Promise<void> {
    await this.#page
      .locator(`#${POINTER_ID}`)
      .evaluate((pointer, [name, wanted]) => pointer.style.setProperty(name, wanted), [property, value] as const);
  }
}

async function middleOf(target: Locator): Promise<Point> {
  const { x, y, width, height } = await areaOf(target);
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
}

/** Runs in the page, whose policy allows no markup. */
function drawPointer({ id, style }: { readonly id: string; readonly style: string }): void {
  const pointer = document.createElement('div');
  pointer.id = id;
  pointer.style.cssText = style;
  document.body.append(pointer);
}
