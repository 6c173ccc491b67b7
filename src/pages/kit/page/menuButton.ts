/**
 * A button that opens a menu of actions, after the ARIA pattern "menu button". The popover is in the browser's top
 * layer, so no sticky edge covers it. The browser closes it by Escape or a click beside it.
 */
import { html, type TemplateResult } from 'lit';
import { icons } from './icons.ts';

interface MenuButtonOptions {
  /** ID of the button, unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly items: readonly MenuItem[];
}

interface MenuItem {
  readonly label: string;
  readonly press: () => void;
}

/** Space between the menu and the edge of the page, in px. */
const EDGE = 8;

export function menuButton({ id, label, items }: MenuButtonOptions): TemplateResult {
  const menuId = `${id}-menu`;
  return html`<button
      type="button"
      class="secondary opens-menu"
      id=${id}
      aria-haspopup="menu"
      popovertarget=${menuId}
      @keydown=${openByArrow}
    >${label}${icons.chevron}</button>
    <div
      class="menu"
      id=${menuId}
      popover
      role="menu"
      aria-labelledby=${id}
      @beforetoggle=${placeMenu}
      @toggle=${focusWhenOpen}
      @keydown=${moveByKey}
    >
      ${items.map(
        (item) => html`<button
          type="button"
          role="menuitem"
          tabindex="-1"
          @click=${() => {
            // First, so that the focus is back on the button that opened it.
            closeOpenMenu();
            item.press();
          }}
        >${item.label}</button>`,
      )}
    </div>`;
}

type MenuEvent<Type extends Event = Event> = Type & { readonly currentTarget: HTMLElement };

/** Below the button, or above it in the lower half of the page; aligned with its nearer edge. */
function placeMenu({ currentTarget: menu, newState }: MenuEvent<ToggleEvent>): void {
  const button = openerOf(menu);
  if (newState !== 'open' || button === undefined) {
    return;
  }
  const { top, bottom, left, right } = button.getBoundingClientRect();
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const isBelow = height - bottom >= top;
  const isAtStart = left <= width - right;
  menu.style.inset = [
    isBelow ? `${bottom + 2}px` : 'auto',
    isAtStart ? 'auto' : `${Math.max(EDGE, width - right)}px`,
    isBelow ? 'auto' : `${height - top + 2}px`,
    isAtStart ? `${Math.max(EDGE, left)}px` : 'auto',
  ].join(' ');
  // It would stay where it is while the button moves.
  window.addEventListener('scroll', closeOpenMenu, { once: true });
  window.addEventListener('resize', closeOpenMenu, { once: true });
}

function closeOpenMenu(): void {
  document.querySelector<HTMLElement>('.menu:popover-open')?.hidePopover();
}

/** An arrow key has chosen an item already. */
function focusWhenOpen({ currentTarget: menu, newState }: MenuEvent<ToggleEvent>): void {
  if (newState === 'open' && !menu.contains(document.activeElement)) {
    itemsOf(menu)[0]?.focus();
  }
}

function openByArrow(event: MenuEvent<KeyboardEvent>): void {
  const menu = document.getElementById(event.currentTarget.getAttribute('popovertarget') ?? '');
  if (menu === null || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) {
    return;
  }
  event.preventDefault();
  if (!menu.matches(':popover-open')) {
    menu.showPopover();
  }
  itemsOf(menu)
    .at(event.key === 'ArrowDown' ? 0 : -1)
    ?.focus();
}

function moveByKey(event: MenuEvent<KeyboardEvent>): void {
  const { currentTarget: menu, key } = event;
  if (key === 'Tab') {
    // Closing returns the focus to the button, from which Tab goes on.
    closeOpenMenu();
    return;
  }
  const items = itemsOf(menu);
  const present = items.findIndex((item) => item === document.activeElement);
  const next = nextIndex(key, present, items.length);
  if (next !== undefined) {
    event.preventDefault();
    items[next]?.focus();
  }
}

/** Index of the item that a key moves to, from the last to the first. Undefined for other keys. */
export function nextIndex(key: string, present: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (present + 1) % count;
    case 'ArrowUp':
      return (Math.max(0, present) - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

function itemsOf(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')];
}

function openerOf(menu: HTMLElement): HTMLElement | undefined {
  return document.getElementById(menu.getAttribute('aria-labelledby') ?? '') ?? undefined;
}
