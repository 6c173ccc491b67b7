/** Finds faults of translations that a program can recognize. */
import type { Texts } from '../../../../tools/l10n/english.ts';

/** Parts that a translation must repeat exactly as often. */
const KEPT: Readonly<Record<string, RegExp>> = {
  placeholders: /\{\d+\}/g,
  'links to commands': /(?<=\]\()command:[^)]*/g,
  addresses: /\bhttps?:\/\/[\w./:-]*[\w/]/g,
  pictures: /(?<=\]\()[^)]*\.png(?=\))/g,
  'headings and lists': /^(?:#+|-) /gm,
  'parts in backticks': /`[^`]*`/g,
  variables: /\$\{[^}]*\}/g,
  icons: /\$\([a-z-]+\)/g,
  'bold parts': /\*\*/g,
  'line breaks': /\n/g,
  ellipses: /…|\.\.\./g,
  'URNs and headers': /\burn:li:[A-Za-z:]+|\bX-[\w<>-]+/g,
};

/** A command or a button without its ellipsis. */
function name(text: string): string {
  return text.replace(/\s*(?:…|\.\.\.)$/, '');
}

/**
 * One sentence per fault of existing translations. A missing one is no fault: its text is shown in English.
 * @param same English texts that may stay
 * @param verbatim names that stay English in every language, such as those of privileges
 */
export function translationFaults(
  english: Texts,
  translated: Texts,
  same: Texts,
  verbatim: readonly string[] = [],
): string[] {
  return Object.entries(english).flatMap(([key, text]) => {
    const its = translated[key];
    if (its === undefined) return [];
    return textFaults(text, its, text in same, verbatim).map((fault) => `"${key}": ${fault}`);
  });
}

function textFaults(english: string, translated: string, mayBeSame: boolean, verbatim: readonly string[]): string[] {
  const faults = [];
  if (translated.trim() === '') return ['it is empty.'];
  if (translated === english && !mayBeSame && /\p{L}/u.test(english.replace(/\{\d+\}/g, ''))) {
    faults.push('it is the English text.');
  }
  if (translated.trim() !== translated && english.trim() === english) faults.push('it begins or ends with a space.');
  for (const [what, pattern] of Object.entries(KEPT)) {
    const [wanted, found] = [english, translated].map((text) => (text.match(pattern) ?? []).toSorted().join(' '));
    if (wanted !== found) faults.push(`its ${what} are not the same: "${found}", in English "${wanted}".`);
  }
  const [ending] = /…$|\.\.\.$/.exec(english) ?? [];
  if (ending !== undefined && !translated.endsWith(ending)) faults.push(`it does not end with "${ending}".`);
  for (const one of verbatim) {
    if (english.includes(one) && !translated.includes(one)) faults.push(`"${one}" is translated.`);
  }
  return faults;
}

/**
 * One sentence for each text with two translations, and for each sentence that quotes a command, a button or a row by
 * another name.
 * @param pairs all texts in English and translated
 */
export function quotationFaults(pairs: readonly (readonly [english: string, translated: string])[]): string[] {
  const names = new Map<string, string>();
  const faults = [];
  for (const [english, translated] of pairs) {
    const [ours, theirs] = [name(english), name(translated)];
    const before = names.get(ours) ?? theirs;
    names.set(ours, before);
    if (before !== theirs) faults.push(`"${ours}" is both "${before}" and "${theirs}".`);
  }
  for (const [english, translated] of pairs) {
    for (const [, inQuotes, inBold] of english.matchAll(/"([^"]+)"|\*\*([^*]+)\*\*/g)) {
      const quoted = name(inQuotes ?? inBold ?? '');
      const wanted = names.get(quoted);
      if (wanted !== undefined && !translated.includes(wanted)) {
        faults.push(`"${english}" quotes "${quoted}", which is "${wanted}": "${translated}"`);
      }
    }
  }
  return faults;
}
