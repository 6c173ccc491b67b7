/** Figures of the code's form, with their goals. A test keeps each within its bound. */
import { hasDiscouragedWord, OPENER } from './wording.ts';
import type { SourceFile } from './sourceFiles.ts';

export type CodeFigure = {
  readonly name: string;
  readonly goal: FigureLimit;
  /** Today's value with some room. */
  readonly bound: FigureLimit;
  measure(files: readonly SourceFile[], all: FigureContext): MeasuredFigure;
};

/** Figures from outside the measured files. */
export type FigureContext = {
  /** Lines of TypeScript in `test`. */
  readonly testLines: number;
};

/** A number with places to improve: `src/time.ts:3 text`. */
export type MeasuredFigure = { readonly value: number; readonly places?: readonly string[] };

export type FigureLimit = { readonly atMost: number } | { readonly atLeast: number };

const SHORT_FILE_LINES = 25;
const LONGEST_LINE = 120;

export const FIGURES: readonly CodeFigure[] = [
  {
    name: 'files',
    goal: { atMost: 200 },
    // With the scheduled job, whose limits, script, CronJob and command are a file each, the network beside the
    // transport, the token that a connection signs in with, and the environment of a terminal.
    bound: { atMost: 234 },
    measure: (files) => ({ value: files.length }),
  },
  {
    name: 'lines',
    goal: { atMost: 23_000 },
    // With the last check of a change, what an answer proves of a token, the check of a shell's profile, and the
    // cautions of a truncation.
    bound: { atMost: 38_800 },
    measure: (files) => ({ value: linesOf(files) }),
  },
  {
    name: 'files with exactly one importer',
    goal: { atMost: 40 },
    // Three files of the scheduled job, and the environment of a terminal.
    bound: { atMost: 58 },
    measure: (files) =>
      counted(
        files.flatMap(({ path, importers: [first, ...others] }) =>
          first === undefined || others.length > 0 ? [] : [`${path} ← ${first}`],
        ),
      ),
  },
  {
    name: `files under ${SHORT_FILE_LINES} lines, %`,
    goal: { atMost: 5 },
    bound: { atMost: 5 },
    measure: (files) => {
      const short = files.filter(({ lines }) => lines.length < SHORT_FILE_LINES);
      return {
        value: percent(short.length, files.length),
        places: short.map(({ path, lines }) => `${path} (${lines.length})`),
      };
    },
  },
  {
    name: 'lines of the longest file',
    goal: { atMost: 500 },
    bound: { atMost: 500 },
    measure: (files) => ({ value: Math.max(0, ...files.map(({ lines }) => lines.length)) }),
  },
  {
    name: 'lines of a function, median',
    goal: { atMost: 8 },
    bound: { atMost: 8 },
    measure: (files) => ({ value: median(functionLines(files)) }),
  },
  {
    name: 'lines of a function, 90th percentile',
    goal: { atMost: 22 },
    bound: { atMost: 23 },
    measure: (files) => ({ value: quantile(functionLines(files), 0.9) }),
  },
  {
    name: 'lines of the longest function',
    goal: { atMost: 134 },
    bound: { atMost: 140 },
    measure: (files) => ({
      value: Math.max(0, ...functionLines(files)),
      places: placed(files, ({ functions }) => functions.filter(({ lines }) => lines > 80)),
    }),
  },
  {
    name: 'deepest nesting in a function, mean weighted by lines',
    goal: { atMost: 0.65 },
    bound: { atMost: 0.65 },
    measure: (files) => {
      const functions = files.flatMap((file) => file.functions);
      const weighted = functions.reduce((sum, { depth, lines }) => sum + depth * lines, 0);
      return {
        value:
          weighted /
          Math.max(
            1,
            functionLines(files).reduce((sum, lines) => sum + lines, 0),
          ),
      };
    },
  },
  {
    name: 'words of a comment, median',
    goal: { atMost: 10 },
    bound: { atMost: 10 },
    measure: (files) => ({ value: median(comments(files).map((text) => text.split(' ').length)) }),
  },
  {
    name: 'comments that open with What, That, Whether, Whom or Whose, per 1,000',
    goal: { atMost: 10 },
    bound: { atMost: 1 },
    measure: (files) => ofComments(files, (text) => OPENER.test(text)),
  },
  {
    name: 'comments with a word from the list in wording.ts, per 1,000',
    goal: { atMost: 0 },
    bound: { atMost: 0 },
    measure: (files) => ofComments(files, hasDiscouragedWord),
  },
  {
    name: 'characters of a function name, median',
    goal: { atLeast: 11 },
    bound: { atLeast: 11 },
    measure: (files) => ({
      value: median(files.flatMap(({ functions }) => functions.map(({ name }) => name.length))),
      places: placed(files, ({ functions }) => functions.filter(({ name }) => name.length < 7)),
    }),
  },
  {
    name: 'characters of a type name, median',
    goal: { atLeast: 14 },
    bound: { atLeast: 14 },
    measure: (files) => ({ value: median(files.flatMap(({ types }) => types.map(({ name }) => name.length))) }),
  },
  {
    name: 'type names of one word, %',
    goal: { atMost: 12 },
    bound: { atMost: 5 },
    measure: (files) => {
      const places = placed(files, ({ types }) => types.filter(({ name }) => !/[a-z\d][A-Z]/.test(name)));
      return { value: percent(places.length, files.flatMap(({ types }) => types).length), places };
    },
  },
  {
    // A sentence that users read is one text, so that it can be translated, and no line break divides it.
    name: `lines over ${LONGEST_LINE} columns, per 1,000`,
    goal: { atMost: 1.5 },
    bound: { atMost: 1.95 },
    measure: (files) => {
      const places = files.flatMap(({ path, lines }) =>
        lines.flatMap((line, index) => (line.length > LONGEST_LINE ? [`${path}:${index + 1}`] : [])),
      );
      return { value: perThousand(places.length, linesOf(files)), places };
    },
  },
  {
    name: 'lines in the largest folder of src, %',
    goal: { atMost: 20 },
    bound: { atMost: 20 },
    measure: (files) => {
      const folders = [...Map.groupBy(files, ({ path }) => path.split('/').slice(0, 2).join('/'))]
        .filter(([folder]) => !folder.endsWith('.ts'))
        .map(([folder, inside]) => ({ folder, lines: linesOf(inside) }))
        .toSorted((a, b) => b.lines - a.lines);
      return {
        value: percent(folders[0]?.lines ?? 0, linesOf(files)),
        places: folders.map(({ folder, lines }) => `${folder} ${lines}`),
      };
    },
  },
  {
    name: 'test lines to source lines',
    goal: { atMost: 1.8 },
    bound: { atMost: 2.1 },
    measure: (files, { testLines }) => ({ value: testLines / Math.max(1, linesOf(files)) }),
  },
  {
    name: 'imports from three or more folders up',
    goal: { atMost: 20 },
    bound: { atMost: 2 },
    measure: (files) =>
      counted(placed(files, ({ imports }) => imports.filter(({ name }) => name.startsWith('../../../')))),
  },
  {
    name: 'imports of a module that the file imports already',
    goal: { atMost: 10 },
    bound: { atMost: 3 },
    measure: (files) =>
      counted(
        placed(files, ({ imports }) =>
          imports.filter(({ name }, index) => imports.findIndex((other) => other.name === name) < index),
        ),
      ),
  },
  {
    name: 'spreads of a property that may be absent',
    goal: { atMost: 10 },
    bound: { atMost: 5 },
    measure: (files) => counted(placed(files, ({ optionalSpreads }) => optionalSpreads)),
  },
  {
    name: 'directives no-await-in-loop',
    goal: { atMost: 0 },
    bound: { atMost: 0 },
    measure: (files) =>
      counted(placed(files, ({ directives }) => directives.filter(({ name }) => name.includes('no-await-in-loop')))),
  },
  {
    name: 'files in circles of imports, types included',
    goal: { atMost: 0 },
    bound: { atMost: 0 },
    measure: (files) =>
      counted(files.flatMap(({ path, circle }) => (circle.length > 0 ? [`${path} ⟲ ${circle.join(' ')}`] : []))),
  },
];

export function isWithin(value: number, limit: FigureLimit): boolean {
  return 'atMost' in limit ? value <= limit.atMost : value >= limit.atLeast;
}

function counted(places: readonly string[]): MeasuredFigure {
  return { value: places.length, places };
}

function placed(
  files: readonly SourceFile[],
  find: (file: SourceFile) => readonly { readonly name: string; readonly line: number }[],
): string[] {
  return files.flatMap((file) =>
    find(file).map(({ name, line }) => `${file.path}:${line} ${name.replaceAll(/\s+/g, ' ').slice(0, 150)}`),
  );
}

function ofComments(files: readonly SourceFile[], matches: (text: string) => boolean): MeasuredFigure {
  const places = placed(files, (file) => file.comments.filter(({ name }) => matches(name)));
  return { value: perThousand(places.length, comments(files).length), places };
}

function comments(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => file.comments.map(({ name }) => name));
}

function functionLines(files: readonly SourceFile[]): number[] {
  return files.flatMap(({ functions }) => functions.map(({ lines }) => lines));
}

function linesOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { lines }) => sum + lines.length, 0);
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100;
}

function perThousand(part: number, whole: number): number {
  return percent(part, whole) * 10;
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}
