/**
 * A text field with suggestions that stays a text field: whatever is typed counts, chosen or not. The keyboard and the roles follow the
 * ARIA pattern "editable combobox with list autocomplete". The element renders into the page itself, so that ids reach across.
 */
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { icons } from './icons.ts';

/** `suggest-input`: a person typed or chose. */
export class SuggestInputEvent extends Event {
  readonly suggestion: Suggestion;

  constructor(suggestion: Suggestion) {
    super('suggest-input', { bubbles: true });
    this.suggestion = suggestion;
  }
}

export class SuggestField extends LitElement {
  static override properties = {
    inputId: { attribute: false },
    label: { attribute: false },
    value: { attribute: false },
    suggestions: { attribute: false },
    describedBy: { attribute: false },
    invalid: { attribute: false },
    readOnly: { attribute: false },
    open: { state: true },
    active: { state: true },
    filtering: { state: true },
  };

  declare inputId: string;
  /** Names the list; the input itself is named by the `label` element of its field. */
  declare label: string;
  declare value: string;
  declare suggestions: readonly Suggestion[];
  declare describedBy: string;
  declare invalid: 'true' | 'false';
  declare readOnly: boolean;
  declare private open: boolean;
  /** Index of the marked row; -1 while the typed text itself is what counts. */
  declare private active: number;
  /** False right after opening by arrow or click: then all are offered, not only those like the present value. */
  declare private filtering: boolean;

  constructor() {
    super();
    this.value = '';
    this.suggestions = [];
    this.readOnly = false;
    this.#close();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const rows = this.#rows();
    const isOpen = this.open && rows.length > 0;
    const listId = `${this.inputId}-list`;
    return html`<div class="suggest">
      <input
        id=${this.inputId}
        type="text"
        role="combobox"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        maxlength="255"
        aria-autocomplete="list"
        aria-controls=${isOpen ? listId : nothing}
        aria-expanded=${isOpen}
        aria-activedescendant=${isOpen && this.active >= 0 ? `${listId}-${this.active}` : nothing}
        aria-describedby=${this.describedBy === '' ? nothing : this.describedBy}
        aria-invalid=${this.invalid}
        ?readonly=${this.readOnly}
        .value=${this.value}
        @input=${(event: InputEvent & { target: HTMLInputElement }) => this.#typed(event.target.value)}
        @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
        @blur=${() => this.#close()}
      />
      ${this.suggestions.length === 0 || this.readOnly ? nothing : this.#renderOpener(isOpen)}
      ${isOpen ? this.#renderList(rows, listId) : nothing}
    </div>`;
  }

  protected override updated(): void {
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }

  /** For the mouse only: by keyboard the list opens with an arrow, so a second tab stop would be in the way. */
  #renderOpener(isOpen: boolean): TemplateResult {
    const toggle = (event: Event): void => {
      event.preventDefault();
      this.querySelector('input')?.focus();
      if (isOpen) {
        this.#close();
      } else {
        this.#openAll();
      }
    };
    return html`<span class="suggest-opener" @mousedown=${toggle}>${icons.chevron}</span>`;
  }

  #renderList(rows: readonly Suggestion[], listId: string): TemplateResult {
    return html`<ul class="suggest-list" id=${listId} role="listbox" aria-label=${this.label}>
      ${rows.map(
        (row, index) => html`<li
          id="${listId}-${index}"
          role="option"
          aria-selected=${index === this.active}
          @mousedown=${(event: Event) => event.preventDefault()}
          @click=${() => this.#choose(row)}
        >
          <span class="suggest-value">${row.value}</span><span class="suggest-detail">${row.detail}</span>
        </li>`,
      )}
    </ul>`;
  }

  #rows(): readonly Suggestion[] {
    return matching(this.suggestions, this.filtering ? this.value : '');
  }

  #typed(value: string): void {
    this.open = true;
    this.filtering = true;
    this.active = -1;
    this.dispatchEvent(new SuggestInputEvent({ value, detail: '' }));
  }

  #pressed(event: KeyboardEvent): void {
    const rows = this.#rows();
    const row = this.open ? rows[this.active] : undefined;
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !this.readOnly) {
      if (this.open) {
        const step = event.key === 'ArrowDown' ? 1 : -1;
        // One more place than rows: between the last and the first stands the typed text.
        this.active = ((this.active + 1 + step + rows.length + 1) % (rows.length + 1)) - 1;
      } else {
        this.#openAll();
      }
    } else if (event.key === 'Enter' && row !== undefined) {
      this.#choose(row);
    } else if (event.key === 'Escape' && this.open) {
      this.#close();
    } else {
      return;
    }
    event.preventDefault();
  }

  #openAll(): void {
    this.open = true;
    this.filtering = false;
    this.active = this.suggestions.findIndex(({ value }) => value === this.value);
  }

  #choose(row: Suggestion): void {
    this.#close();
    this.dispatchEvent(new SuggestInputEvent(row));
  }

  #close(): void {
    this.open = false;
    this.active = -1;
    this.filtering = true;
  }
}

/** One row of a suggestion list. */
export interface Suggestion {
  /** What the field holds once it is chosen. */
  readonly value: string;
  /** Quiet text beside it: a size, a number of indices. */
  readonly detail: string;
  /** Set where choosing an aspect settles the entity type too. */
  readonly entityType?: string;
}

/** A server may list thousands of indices; a longer list helps nobody, typing more does. */
const LONGEST_LIST = 50;

/** The suggestions that hold the typed text, those that start with it first. */
export function matching(suggestions: readonly Suggestion[], typed: string): readonly Suggestion[] {
  const text = typed.trim().toLowerCase();
  const found = suggestions.filter(({ value }) => value.toLowerCase().includes(text));
  const isStart = ({ value }: Suggestion): boolean => value.toLowerCase().startsWith(text);
  return [...found.filter(isStart), ...found.filter((suggestion) => !isStart(suggestion))].slice(0, LONGEST_LIST);
}
