import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import * as l10n from '@vscode/l10n';
import { LANGUAGES } from '../../../src/language.ts';
import { readTokenClaims } from '../../../src/service/tokens/tokenClaims.ts';
import { wrappedLines } from '../../../src/ui/textLines.ts';
import { tokenWith } from '../connections/tokens.ts';
import '../ui/window.ts';

const { inspectionItems } = await import('../../../src/tokens/inspectionItems.ts');

/** Columns of a row at whose end a heading is drawn. */
const COLUMNS = 72;

suite('The question to a server about an inspected token', () => {
  for (const language of ['en', ...LANGUAGES]) {
    test(`fits a line of a quick pick in ${language}`, async (context) => {
      context.after(() => l10n.config({ contents: {} }));
      if (language !== 'en') {
        const bundle = await readFile(`l10n/bundle.l10n.${language}.json`, 'utf8');
        l10n.config({ contents: JSON.parse(bundle) as Record<string, string> });
      }
      const claims = readTokenClaims(tokenWith({ actorId: 'admin', type: 'PERSONAL' })) ?? assert.fail();
      const items = inspectionItems({ claims, signingIn: [], answer: undefined });
      const { label, description } = items.find(({ action }) => action === 'ask') ?? assert.fail();
      const line = `${label} ${description}`;
      assert.deepEqual(wrappedLines(line, COLUMNS), [line]);
    });
  }
});
