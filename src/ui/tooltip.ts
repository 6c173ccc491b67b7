/** Tooltips: our Markdown, with foreign text as plain text. */
import * as vscode from 'vscode';
import { LONGEST_QUOTE, LONGEST_SENTENCE, inMarkdown } from './foreignText.ts';

/** In characters. Narrow side bars cut off longer names. */
const LONGEST_WHOLE_NAME = 12;

export class RowTooltip {
  readonly #markdown = new vscode.MarkdownString();

  heading(name: string): this {
    return this.#appendParagraph(() => this.#markdown.appendMarkdown(`**${inMarkdown(name, LONGEST_QUOTE)}**`));
  }

  /** The row's name, unless any side bar has room for it. */
  longName(name: string): this {
    return name.length > LONGEST_WHOLE_NAME ? this.heading(name) : this;
  }

  /** A sentence, unless empty. */
  text(sentence: string | undefined): this {
    return sentence
      ? this.#appendParagraph(() => this.#markdown.appendMarkdown(inMarkdown(sentence, LONGEST_SENTENCE)))
      : this;
  }

  /** A labelled fact, unless unknown. */
  fact(name: string, value: string | undefined): this {
    return value
      ? this.#appendParagraph(() => this.#markdown.appendMarkdown(`**${name}**: ${inMarkdown(value, LONGEST_QUOTE)}`))
      : this;
  }

  get markdown(): vscode.MarkdownString {
    return this.#markdown;
  }

  #appendParagraph(append: () => void): this {
    append();
    this.#markdown.appendMarkdown('\n\n');
    return this;
  }
}
