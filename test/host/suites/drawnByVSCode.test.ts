// Escaped text has no link or icon in the running VS Code, by its own expressions.
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import { inLabel, inMessage } from '../../../src/ui/foreignText.ts';
import { hostileText } from '../../unit/ui/hostileText.ts';
import { drawnByVSCode } from './support/workbenchCode.ts';

const RUNS = 20_000;

suite('Foreign text that VS Code draws', () => {
  const { link, icon } = drawnByVSCode(vscode.env.appRoot);

  test('has links and icons if it is not escaped', () => {
    assert.deepEqual(
      Array.from('Revoking "[Renew](command:workbench.action.quit)"…'.matchAll(link), ([, label, address]) => [
        label,
        address,
      ]),
      [['Renew', 'command:workbench.action.quit']],
    );
    assert.equal('[a](https://example.com "title")'.match(link)?.length, 1);
    assert.deepEqual(
      Array.from('a $(key) and $(sync~spin)'.matchAll(icon), ([, , name]) => name),
      ['key', 'sync~spin'],
    );
    assert.deepEqual(
      Array.from(String.raw`\$(key)`.matchAll(icon), ([, backslash]) => backslash),
      ['\\'],
    );
    // The generated texts are dangerous: many contain links and icons.
    const texts = fc.sample(hostileText, { numRuns: 1_000, seed: 1 });
    assert.ok(texts.filter((text) => text.match(link)).length > 50);
    assert.ok(texts.filter((text) => text.match(icon)).length > 50);
  });

  test('has no links in messages', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        assert.equal(inMessage(text).match(link), null);
        assert.equal(inMessage(text).match(icon), null);
        // Shortened by VS Code, it has none either.
        assert.equal(inMessage(text).slice(0, 30).match(link), null);
      }),
      { numRuns: RUNS },
    );
  });

  test('has no icons in labels, whatever our words around it and wherever a search highlight splits it', () => {
    fc.assert(
      fc.property(hostileText, fc.nat(100), (text, at) => {
        const label = inLabel(text);
        assert.deepEqual(
          Array.from(`$(check) ${label}`.matchAll(icon), ([, , name]) => name),
          ['check'],
        );
        assert.equal(label.slice(0, at).match(icon), null);
        assert.equal(label.slice(at).match(icon), null);
      }),
      { numRuns: RUNS },
    );
  });
});
