/** Tooltips of rows: our Markdown around other people's words, which stay text. */
import * as vscode from 'vscode';
import { LONGEST_QUOTE, LONGEST_SENTENCE, inMarkdown } from './foreignText.ts';

/** In characters: a longer name is cut off in a side bar of the default width. */
const LONGEST_IN_ROW = 30;

export class Tooltip {
  readonly #markdown = new vscode.MarkdownString();

  heading(name: string): this {
    return this.#add(() => this.#markdown.appendMarkdown(`**${inMarkdown(name, LONGEST_QUOTE)}**`));
  }

  /** The row's own name; nothing when it can be read there. */
  longName(name: string): this {
    return name.length > LONGEST_IN_ROW ? this.heading(name) : this;
  }

  /** A sentence; nothing when it is empty. */
  text(sentence: string | undefined): this {
    return sentence ? this.#add(() => this.#markdown.appendMarkdown(inMarkdown(sentence, LONGEST_SENTENCE))) : this;
  }

  /** A fact by its name, in our words; nothing when it is not known. */
  fact(name: string, value: string | undefined): this {
    return value
      ? this.#add(() => this.#markdown.appendMarkdown(`**${name}**: ${inMarkdown(value, LONGEST_QUOTE)}`))
      : this;
  }

  get markdown(): vscode.MarkdownString {
    return this.#markdown;
  }

  #add(append: () => void): this {
    append();
    this.#markdown.appendMarkdown('\n\n');
    return this;
  }
}
