import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { identityOf } from '../../../../tools/mutate/mutant.ts';
import { applied, mutantsOf } from '../../../../tools/mutate/mutants.ts';
import { stripped, treeOf } from '../../../../tools/mutate/syntax.ts';

/** What becomes of a source, in the order of the changes. */
function changed(source: string): string[] {
  return mutantsOf('a.ts', source).map((mutant) => applied(mutant, source));
}

suite('Mutants', () => {
  for (const [what, source, ...expected] of [
    ['a boundary', 'f(a < b);', 'f(a <= b);', 'f(a >= b);', ';'],
    ['an equality', 'x = a === b;', 'x = a !== b;', ';'],
    ['a sum', 'x = a + b;', 'x = a - b;', ';'],
    ['texts that are joined', 'x = a + `b`;', 'x = a + ``;', ';'],
    ['both sides of a conjunction', 'x = a && b;', 'x = true && b;', 'x = a || b;', 'x = a && true;', ';'],
    [
      'each operand of a chain once',
      'x = a || b || c;',
      'x = false || b || c;',
      'x = a && b || c;',
      'x = a || false || c;',
      'x = a || b && c;',
      'x = a || b || false;',
      ';',
    ],
    ['a value in case there is none', 'x = a ?? b;', 'x = a;', 'x = b;', ';'],
    ['a negation', 'x = !(a.b);', 'x = a.b;', ';'],
    ['a condition', 'if (a) b();', 'if (true) b();', 'if (false) b();', 'if (a) ;'],
    ['the condition of an expression', 'x = a ? b : c;', 'x = true ? b : c;', 'x = false ? b : c;', ';'],
    ['a loop', 'while (a) { b(); }', 'while (false) { b(); }', 'while (a) {}'],
    ['an optional chain', 'x = a?.b?.[c]?.();', 'x = a.b?.[c]?.();', 'x = a?.b[c]?.();', 'x = a?.b?.[c]();', ';'],
    [
      'a text, but no name',
      "import 'm'; x = { 'k': 't' };",
      "import 'm'; x = { 'k': '' };",
      "import 'm'; x = {};",
      "import 'm'; ;",
    ],
    ['an empty text', "x = '';", "x = 'mutant';", ';'],
    ['a list', 'x = [1];', 'x = [];', ';'],
    [
      'a result',
      'function f() { a(); return b; }',
      'function f() {}',
      'function f() { ; return b; }',
      'function f() { a(); return undefined; }',
    ],
    ['the result of a short function', 'const f = () => b;', 'const f = () => undefined;'],
    [
      'an exception',
      'if (a) throw b; c();',
      'if (true) throw b; c();',
      'if (false) throw b; c();',
      'if (a) ; c();',
      'if (a) throw b; ;',
    ],
    [
      'a case',
      'switch (a) { case 1: b(); c(); }',
      'switch (a) { case 1: ; c(); }',
      'switch (a) { case 1:  }',
      'switch (a) { case 1: b(); ; }',
    ],
    ['some of them', 'x = a.some(b);', 'x = a.every(b);', ';'],
    ['a filter', 'x = a.filter(b);', 'x = a;', ';'],
  ] as const) {
    test(`of ${what}`, () => {
      assert.deepEqual(changed(source).toSorted(), expected.toSorted());
    });
  }

  test('are each a source of their own, whatever the source', () => {
    const expression = fc.letrec<{ readonly any: string }>((tie) => ({
      any: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom('a', 'b.c', '"t"', '/x+/i', '1', 'true', '``', '[]', '{}'),
        fc
          .tuple(tie('any'), fc.constantFrom('+', '<', '===', '&&', '||'), tie('any'))
          .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
        tie('any').map((one) => `(!${one})`),
        tie('any').map((one) => `(${one}).trim()`),
        fc.tuple(tie('any'), tie('any'), tie('any')).map(([one, yes, no]) => `(${one} ? ${yes} : ${no})`),
        tie('any').map((one) => `(() => (${one}))`),
      ),
    })).any;
    fc.assert(
      fc.property(expression, (text) => {
        const source = `const x = ${text};`;
        const results = changed(source);
        assert.equal(new Set(results).size, results.length);
        assert.ok(!results.includes(source));
        results.forEach(treeOf);
      }),
    );
  });

  test('are told apart where they read the same', () => {
    const mutants = mutantsOf('a.ts', 'x = a === 1;\nx = a === 1;');
    assert.equal(new Set(mutants.map(identityOf)).size, mutants.length);
    assert.deepEqual(mutants.map(({ line }) => line).toSorted(), [1, 1, 2, 2]);
  });

  test('are shown where they are, however long the source around them is', () => {
    const long = 'x'.repeat(300);
    const first = mutantsOf('a.ts', `x = ${long} + 1 < b;`).find(({ replacement }) => replacement.includes('<='));
    assert.equal(first?.change, `… ${'x'.repeat(34)} + 1 < b → … ${'x'.repeat(34)} + 1 <= b`);
  });

  test('of types there are none, and places stay where they were', () => {
    const source = "const a: 'text' | boolean = b as 'text';\nexport type T = 'x' | true;\nf(a !== true);";
    const lines = mutantsOf('a.ts', stripped(source)).map(({ line }) => line);
    assert.deepEqual([...new Set(lines)], [3]);
    assert.equal(stripped(source).length, source.length);
  });
});
