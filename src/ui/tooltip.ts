/** Tooltips: our Markdown, with foreign text as plain text. */
import * as vscode from 'vscode';
import { LONGEST_QUOTE, LONGEST_SENTENCE, inMarkdown } from './foreignText.ts';

export class RowTooltip {
  readonly #markdown = new vscode.MarkdownString();

  /** The row's name, which narrow side bars cut off. */
  heading(name: string): this {
    return this.#appendParagraph(() => this.#markdown.appendMarkdown(`**${inMarkdown(name, LONGEST_QUOTE)}**`));
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
