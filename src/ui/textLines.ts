/** Joins parts on one line, or breaks text. */

/** `8.1 GB · 62%`: joins the known, non-empty parts. */
export function inOneLine(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** Columns of a quick pick in an ordinary window. */
const COLUMNS = 76;

type SegmentGranularity = 'grapheme' | 'word';

/** Created on first use, since creating one is slow and few texts need it. */
const segmenters = new Map<SegmentGranularity, Intl.Segmenter>();

/** Breaks a text at spaces; within long pieces between words, else between letters. */
export function wrappedLines(text: string, columns: number = COLUMNS): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of wrappablePieces(text, columns)) {
    if (line !== '' && columnWidth((line + piece).trimEnd()) > columns) {
      lines.push(line.trim());
      line = '';
    }
    line += piece;
  }
  return [...lines, line.trim()].filter((one) => one !== '');
}

function wrappablePieces(text: string, columns: number): string[] {
  return text
    .split(/(?<=\s)(?=\S)/)
    .flatMap((piece) => (columnWidth(piece.trimEnd()) > columns ? textSegments('word', piece) : [piece]))
    .flatMap((piece) => (columnWidth(piece.trimEnd()) > columns ? textSegments('grapheme', piece) : [piece]));
}

function textSegments(granularity: SegmentGranularity, text: string): string[] {
  const segmenter = segmenters.get(granularity) ?? new Intl.Segmenter(undefined, { granularity });
  segmenters.set(granularity, segmenter);
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function columnWidth(text: string): number {
  // Letters that take two columns.
  const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF01-\uFF60]/u;
  return textSegments('grapheme', text).reduce((width, letter) => width + (wide.test(letter) ? 2 : 1), 0);
}

/** Joins those that are there. */
export function joinSentences(...sentences: readonly (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined && sentence !== '').join(' ');
}
