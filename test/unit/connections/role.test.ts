import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  defaultRole,
  productionLine,
  isLaxerRole,
  requiresTypedText,
  ROLES,
  type ConnectionRole,
  roleDescription,
} from '../../../src/connections/role.ts';
import { LANGUAGES } from '../../../tools/l10n/translationFiles.ts';
import { wrappedLines } from '../../../src/ui/textLines.ts';
import { translated } from '../translated.ts';

const [ELSEWHERE, HERE] = ['https://datahub.example.com', 'http://localhost:8080'];
/** Development would be wrong for a tunnel. */
const MAYBE_HERE = ['https://127.0.0.2', 'https://datahub.localhost', 'http://[::ffff:127.0.0.1]:8080'];

suite('A role', () => {
  test('gets stricter from development to production and read-only', () => {
    for (const [at, role] of ROLES.entries()) {
      assert.deepEqual(
        ROLES.filter((than) => isLaxerRole(role, than)),
        ROLES.slice(at + 1),
      );
    }
  });

  test('is development on this machine until one is chosen, and production elsewhere, whatever the host is called', () => {
    assert.equal(defaultRole({ baseUrl: HERE }), 'development');
    for (const baseUrl of [ELSEWHERE, ...MAYBE_HERE, 'https://dev.example.com', 'https://staging.local']) {
      assert.equal(defaultRole({ baseUrl }), 'production');
    }
  });
});

suite('A typed text before rows are deleted', () => {
  const requires = (role: ConnectionRole | undefined, baseUrl: string): boolean => requiresTypedText({ baseUrl, role });

  test('is required unless the user chose Development for a server elsewhere', () => {
    assert.equal(requires('development', ELSEWHERE), false);
    for (const role of [undefined, 'production', 'readOnly'] as const) {
      assert.equal(requires(role, ELSEWHERE), true, role);
    }
  });

  test('is required at an address that may be a tunnel, whichever role was chosen there', () => {
    for (const baseUrl of [HERE, ...MAYBE_HERE]) {
      assert.equal(requires('development', baseUrl), true, baseUrl);
    }
  });
});

test('The description of a role fits a line of a quick pick in every language', async (context) => {
  for (const language of ['en', ...LANGUAGES] as const) {
    await translated(context, language);
    for (const baseUrl of [ELSEWHERE, HERE]) {
      const descriptions = ROLES.map((role) => roleDescription(role, { baseUrl }));
      for (const description of descriptions) assert.deepEqual(wrappedLines(description), [description]);
    }
  }
});

suite('The first line of a question about production', () => {
  const baseUrl = 'https://datahub.example.com:8443/gms';
  for (const [name, role, lines] of [
    ['Main', 'production', [`Production connection: Main (${baseUrl})`]],
    // As the form proposes it.
    ['datahub.example.com:8443', 'production', [`Production connection: ${baseUrl}`]],
    ['datahub.example.com', 'production', [`Production connection: datahub.example.com (${baseUrl})`]],
    ['Main', 'development', []],
    ['Main', 'readOnly', []],
  ] as const) {
    test(`is ${lines[0] ?? 'not there'} for ${name}, ${role}`, () =>
      assert.deepEqual(productionLine({ name, baseUrl, role }), lines));
  }
});
