import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  chosenRole,
  isLaxerRole,
  OFFERED_ROLES,
  requiresTypedText,
  roleOfFile,
  stricterRole,
} from '../../../src/connections/role.ts';
import { roleDescription } from '../../../src/connections/roleSentences.ts';
import { LANGUAGES } from '../../../tools/l10n/translations.ts';
import { wrappedLines } from '../../../src/ui/textLines.ts';
import { translated } from '../translated.ts';

const ROLES = ['developmentChosen', ...OFFERED_ROLES] as const;
const ROLE = fc.constantFrom(undefined, ...ROLES);

suite('The strictness of a role', () => {
  test('grows from none and development to production and read-only', () => {
    for (const [laxer, stricter] of [
      ['production', 'readOnly'],
      ['development', 'readOnly'],
      [undefined, 'readOnly'],
      ['development', 'production'],
      [undefined, 'production'],
      ['developmentChosen', undefined],
      ['developmentChosen', 'development'],
    ] as const) {
      assert.equal(isLaxerRole(laxer, stricter), true);
      assert.equal(isLaxerRole(stricter, laxer), false);
    }
    assert.equal(isLaxerRole(undefined, 'development') || isLaxerRole('development', undefined), false);
  });

  test('decides between two, in any order', () => {
    fc.assert(
      fc.property(ROLE, ROLE, (one, other) => {
        const stricter = stricterRole(one, other);
        assert.ok([one, other].includes(stricter));
        assert.ok(!isLaxerRole(stricter, one) && !isLaxerRole(stricter, other));
        const swapped = stricterRole(other, one);
        assert.ok(!isLaxerRole(stricter, swapped) && !isLaxerRole(swapped, stricter));
      }),
    );
  });
});

suite('A typed text before rows are deleted', () => {
  const [elsewhere, here] = ['https://datahub.example.com', 'http://localhost:8080'];
  const requires = (role: (typeof ROLES)[number] | undefined, baseUrl = elsewhere): boolean =>
    requiresTypedText({ baseUrl, role });

  test('is required unless the user chose Development for a server elsewhere', () => {
    assert.equal(requires(chosenRole('development', { baseUrl: elsewhere })), false);
    for (const role of [undefined, ...OFFERED_ROLES]) {
      assert.equal(requires(role), true, `${role} may be no choice`);
    }
  });

  test('is required at an address that may be a tunnel, whichever role was chosen there or before', () => {
    for (const baseUrl of [here, 'https://127.0.0.2', 'https://datahub.localhost', 'http://[::ffff:127.0.0.1]:8080']) {
      assert.equal(chosenRole('development', { baseUrl }), 'development');
      assert.equal(requires('developmentChosen', baseUrl), true);
    }
  });

  test('is spared only by a file that says that the role was chosen', () => {
    for (const [role, chosen, baseUrl, expected] of [
      ['development', true, elsewhere, 'developmentChosen'],
      ['development', false, elsewhere, 'development'],
      ['development', true, here, 'development'],
      ['production', true, elsewhere, 'production'],
      ['readOnly', false, elsewhere, 'readOnly'],
    ] as const) {
      assert.equal(roleOfFile({ role, chosen }, { baseUrl }), expected);
    }
  });
});

test('The description of a role fits a line of a quick pick in every language', async (context) => {
  for (const language of ['en', ...LANGUAGES] as const) {
    await translated(context, language);
    for (const description of ROLES.map(roleDescription)) assert.deepEqual(wrappedLines(description), [description]);
  }
});
