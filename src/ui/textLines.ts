/** Joins parts on one line, or breaks a text into lines. */

/** `8.1 GB · 62%`: the parts on one line, without those that are empty or unknown. */
export function inOneLine(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** In columns: what a quick pick shows of a line in a window of ordinary width. */
const COLUMNS = 76;
/** Letters that take two columns. */
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF01-\uFF60]/u;

type Granularity = 'grapheme' | 'word';

/** Built by the first text that needs them, so that starting VS Code doesn't wait for them. */
const segmenters = new Map<Granularity, Intl.Segmenter>();

/** A text as lines. It breaks at spaces; where a piece between two spaces is too long, between words, and else between letters. */
export function wrapped(text: string, columns: number = COLUMNS): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of piecesOf(text, columns)) {
    if (line !== '' && widthOf((line + piece).trimEnd()) > columns) {
      lines.push(line.trim());
      line = '';
    }
    line += piece;
  }
  return [...lines, line.trim()].filter((one) => one !== '');
}

function piecesOf(text: string, columns: number): string[] {
  return text
    .split(/(?<=\s)(?=\S)/)
    .flatMap((piece) => (widthOf(piece.trimEnd()) > columns ? segments('word', piece) : [piece]))
    .flatMap((piece) => (widthOf(piece.trimEnd()) > columns ? segments('grapheme', piece) : [piece]));
}

function segments(granularity: Granularity, text: string): string[] {
  const segmenter = segmenters.get(granularity) ?? new Intl.Segmenter(undefined, { granularity });
  segmenters.set(granularity, segmenter);
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function widthOf(text: string): number {
  return segments('grapheme', text).reduce((width, letter) => width + (WIDE.test(letter) ? 2 : 1), 0);
}
