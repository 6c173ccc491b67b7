/**
 * A text field with suggestions, which accepts any text. Keyboard and roles follow the ARIA pattern "editable
 * combobox with list autocomplete". Renders without a shadow root, so that other elements can refer to it by ID.
 */
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { icons } from './icons.ts';

/** `suggest-input`: fired when the user types or chooses. */
export class SuggestInputEvent extends Event {
  readonly suggestion: FieldSuggestion;

  constructor(suggestion: FieldSuggestion) {
    super('suggest-input', { bubbles: true });
    this.suggestion = suggestion;
  }
}

export class SuggestionField extends LitElement {
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
  /** Names the list. The field's `label` names the input. */
  declare label: string;
  declare value: string;
  declare suggestions: readonly FieldSuggestion[];
  declare describedBy: string;
  declare invalid: 'true' | 'false';
  declare readOnly: boolean;
  declare private open: boolean;
  /** Index of the marked row; -1 for the typed text. */
  declare private active: number;
  /** False after opening by arrow or click: shows all. */
  declare private filtering: boolean;

  constructor() {
    super();
    this.value = '';
    this.suggestions = [];
    this.readOnly = false;
    this.#closeList();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const rows = this.#matchingRows();
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
        @input=${(event: InputEvent & { target: HTMLInputElement }) => this.#handleInput(event.target.value)}
        @keydown=${(event: KeyboardEvent) => this.#handleKeydown(event)}
        @blur=${() => this.#closeList()}
      />
      ${this.suggestions.length === 0 || this.readOnly ? nothing : this.#renderOpener(isOpen)}
      ${isOpen ? this.#renderList(rows, listId) : nothing}
    </div>`;
  }

  protected override updated(): void {
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }

  /** For the mouse only, because arrow keys open the list. */
  #renderOpener(isOpen: boolean): TemplateResult {
    const toggleList = (event: Event): void => {
      event.preventDefault();
      this.querySelector('input')?.focus();
      if (isOpen) {
        this.#closeList();
      } else {
        this.#openFullList();
      }
    };
    return html`<span class="suggest-opener" @mousedown=${toggleList}>${icons.chevron}</span>`;
  }

  #renderList(rows: readonly FieldSuggestion[], listId: string): TemplateResult {
    return html`<ul class="suggest-list" id=${listId} role="listbox" aria-label=${this.label}>
      ${rows.map(
        (row, index) => html`<li
          id="${listId}-${index}"
          role="option"
          aria-selected=${index === this.active}
          @mousedown=${(event: Event) => event.preventDefault()}
          @click=${() => this.#chooseSuggestion(row)}
        >
          <span class="suggest-value">${row.value}</span><span class="suggest-detail">${row.detail}</span>
        </li>`,
      )}
    </ul>`;
  }

  #matchingRows(): readonly FieldSuggestion[] {
    return matchingSuggestions(this.suggestions, this.filtering ? this.value : '');
  }

  #handleInput(value: string): void {
    this.open = true;
    this.filtering = true;
    this.active = -1;
    this.dispatchEvent(new SuggestInputEvent({ value, detail: '' }));
  }

  #handleKeydown(event: KeyboardEvent): void {
    const rows = this.#matchingRows();
    const row = this.open ? rows[this.active] : undefined;
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !this.readOnly) {
      if (this.open) {
        const step = event.key === 'ArrowDown' ? 1 : -1;
        // The typed text is between the last and first row.
        this.active = ((this.active + 1 + step + rows.length + 1) % (rows.length + 1)) - 1;
      } else {
        this.#openFullList();
      }
    } else if (event.key === 'Enter' && row !== undefined) {
      this.#chooseSuggestion(row);
    } else if (event.key === 'Escape' && this.open) {
      this.#closeList();
    } else {
      return;
    }
    event.preventDefault();
  }

  #openFullList(): void {
    this.open = true;
    this.filtering = false;
    this.active = this.suggestions.findIndex(({ value }) => value === this.value);
  }

  #chooseSuggestion(row: FieldSuggestion): void {
    this.#closeList();
    this.dispatchEvent(new SuggestInputEvent(row));
  }

  #closeList(): void {
    this.open = false;
    this.active = -1;
    this.filtering = true;
  }
}

/** A row of the suggestion list. */
export interface FieldSuggestion {
  /** Becomes the value of the field. */
  readonly value: string;
  /** Shown beside it, for example a size. */
  readonly detail: string;
  /** Set if choosing an aspect sets the entity type too. */
  readonly entityType?: string;
}

/** Typing more helps better than a longer list. */
const LONGEST_LIST = 50;

/** Suggestions with the typed text: those starting with it first. */
export function matchingSuggestions(
  suggestions: readonly FieldSuggestion[],
  typed: string,
): readonly FieldSuggestion[] {
  const text = typed.trim().toLowerCase();
  const found = suggestions.filter(({ value }) => value.toLowerCase().includes(text));
  const startsWithText = ({ value }: FieldSuggestion): boolean => value.toLowerCase().startsWith(text);
  return [...found.filter(startsWithText), ...found.filter((suggestion) => !startsWithText(suggestion))].slice(
    0,
    LONGEST_LIST,
  );
}
