import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { LANGUAGES } from '../../../src/language.ts';
import { readTokenClaims } from '../../../src/service/tokens/tokenClaims.ts';
import { wrappedLines } from '../../../src/ui/textLines.ts';
import { tokenWith } from '../connections/tokens.ts';
import { translated } from '../translated.ts';
import '../ui/window.ts';

const { inspectionItems } = await import('../../../src/tokens/inspectionItems.ts');

/** Columns of a row at whose end a heading is drawn. */
const COLUMNS = 72;

suite('The question to a server about an inspected token', () => {
  for (const language of ['en', ...LANGUAGES] as const) {
    test(`fits a line of a quick pick in ${language}`, async (context) => {
      await translated(context, language);
      const claims = readTokenClaims(tokenWith({ actorId: 'admin', type: 'PERSONAL' })) ?? assert.fail();
      const items = inspectionItems({ claims, signingIn: [], answer: undefined });
      const { label, description } = items.find(({ action }) => action === 'ask') ?? assert.fail();
      const line = `${label} ${description}`;
      assert.deepEqual(wrappedLines(line, COLUMNS), [line]);
    });
  }
});
