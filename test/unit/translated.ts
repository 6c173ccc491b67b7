import { readFile } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import * as l10n from '@vscode/l10n';
import type { DisplayLanguage } from '../../tools/l10n/translationFiles.ts';

/** Shows texts in a language until the test ends. */
export async function translated(context: TestContext, language: DisplayLanguage | 'en'): Promise<void> {
  context.after(() => l10n.config({ contents: {} }));
  if (language !== 'en') {
    const bundle = await readFile(`l10n/bundle.l10n.${language}.json`, 'utf8');
    l10n.config({ contents: JSON.parse(bundle) as Record<string, string> });
  }
}
