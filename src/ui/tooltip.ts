/** Tooltips of rows: our Markdown around other people's words, which stay text. */
import * as vscode from 'vscode';
import { LONGEST_SENTENCE, inPlainText } from './foreignText.ts';

export class Tooltip {
  readonly #markdown = new vscode.MarkdownString();

  heading(name: string): this {
    return this.#add(() => this.#markdown.appendMarkdown('**').appendText(inPlainText(name)).appendMarkdown('**'));
  }

  /** A sentence; nothing when it is empty. */
  text(sentence: string | undefined): this {
    return sentence ? this.#add(() => this.#markdown.appendText(inPlainText(sentence, LONGEST_SENTENCE))) : this;
  }

  /** A fact by its name, in our words; nothing when it is not known. */
  fact(name: string, value: string | undefined): this {
    return value
      ? this.#add(() => this.#markdown.appendMarkdown(`**${name}**: `).appendText(inPlainText(value)))
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
