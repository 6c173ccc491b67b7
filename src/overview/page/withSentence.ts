/** A few words in a cell, and the whole sentence for who wants it: pointed at, read by a screen reader, or opened below them. */
import { html, type TemplateResult } from 'lit';

interface Words {
  /** On the page there once. */
  readonly id: string;
  readonly text: string;
  /** Undefined where the words say it all. */
  readonly sentence: string | undefined;
  readonly tabIndex: 0 | -1;
}

interface SignOptions {
  /** On the page there once. */
  readonly id: string;
  readonly icon: TemplateResult;
  /** Its name for a screen reader. */
  readonly label: string;
  readonly sentence: string;
  readonly tabIndex: 0 | -1;
}

/** The same with a sign in place of words: its name is read by a screen reader. */
export function signWithSentence({ id, icon, label, sentence, tabIndex }: SignOptions): TemplateResult {
  return html`<button type="button" class="tool" tabindex=${tabIndex} aria-label=${label} title=${sentence} popovertarget=${id}>${icon}</button>
    <div class="sentence" id=${id} popover>${sentence}</div>`;
}

/** A press of the words, with the mouse or by keyboard, opens the sentence and closes it; so does Escape. */
export function withSentence({ id, text, sentence, tabIndex }: Words): TemplateResult {
  return sentence === undefined || sentence === text
    ? html`<span>${text}</span>`
    : html`<button type="button" class="link" tabindex=${tabIndex} title=${sentence} popovertarget=${id}>${text}</button>
        <div class="sentence" id=${id} popover>${sentence}</div>`;
}
