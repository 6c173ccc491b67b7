import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { escaped } from '../../../tools/escaped.ts';
import { codeServer } from '../../host/vscode/codeServer.ts';
import { bundleTexts, manifestTexts, type Texts } from '../../../tools/l10n/english.ts';
import { currentTranslation, type DisplayLanguage } from '../../../tools/l10n/translationFiles.ts';

export class Words {
  readonly language: DisplayLanguage;
  readonly english: Texts = { ...manifestTexts(), ...bundleTexts() };
  readonly translated: Texts;

  private constructor(language: DisplayLanguage, translated: Texts) {
    this.language = language;
    this.translated = translated;
  }

  static of(language: DisplayLanguage): Words {
    return new Words(language, {
      ...currentTranslation('manifest', language),
      ...currentTranslation('bundle', language),
    });
  }

  /**
   * A text of the source by its English, with inserted values, or one of package.json by its key. English until it is
   * translated.
   */
  said(english: string, ...values: readonly string[]): string {
    const text = this.translated[english] ?? this.english[english];
    if (text === undefined) throw new Error(`"${english}" is not said any more.`);
    return text.replaceAll(/\{(\d+)\}/g, (place, index: string) => values[Number(index)] ?? place);
  }

  /** Pattern for the same text with any values. */
  saidOf(english: string): RegExp {
    const parts = this.said(english)
      .split(/\{\d+\}/)
      .map(escaped);
    return new RegExp(`^${parts.join('.+')}$`);
  }

  /** A count with its unit, by Intl: "1 hour". */
  unit(count: number, unit: string): string {
    return new Intl.NumberFormat(this.language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
  }
}

/** VS Code's own English texts, from its own list. */
export async function wordsOfVSCode(): Promise<ReadonlySet<string>> {
  const { serverMain } = await codeServer('newest');
  const messages = JSON.parse(await readFile(join(dirname(serverMain), 'nls.messages.json'), 'utf8')) as string[];
  return new Set(messages.map((text) => text.replaceAll('&&', '')));
}
