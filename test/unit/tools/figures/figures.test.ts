// The form of the code, kept within the bounds of tools/figures/figures.ts. `npm run figures` prints the values and
// goals.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { escaped } from '../../../../tools/escaped.ts';
import { factsOf } from '../../../../tools/figures/facts.ts';
import { FIGURES, isWithin } from '../../../../tools/figures/figures.ts';
import { linesBelow, linkedFiles, readFacts, readSourceFiles } from '../../../../tools/figures/sourceFiles.ts';
import { documentFaults, hasDiscouragedWord, OPENER, wordingFaults } from '../../../../tools/figures/wording.ts';
import { DEFECTS } from '../../../../tools/mutate/defects/list.ts';
import { root } from '../../../../tools/paths.ts';

suite('The code in src', () => {
  const files = readSourceFiles('src');
  const surroundings = { testLines: linesBelow('test') };
  for (const { name, bound, measure } of FIGURES) {
    test(`keeps within its bound: ${name}`, () => {
      const { value, places = [] } = measure(files, surroundings);
      assert.ok(isWithin(value, bound), `${value} is beyond ${JSON.stringify(bound)}\n${places.join('\n')}`);
    });
  }
});

test('Tests and tools have as few long lines as src', () => {
  const { measure, bound } = FIGURES.find(({ name }) => name.startsWith('lines over')) ?? assert.fail();
  const { value, places = [] } = measure(['test', 'tools'].flatMap(readSourceFiles), { testLines: 0 });
  assert.ok(isWithin(value, bound), `${value} is beyond ${JSON.stringify(bound)}\n${places.join('\n')}`);
});

test('Comments and titles of tests begin with the thing or a verb and say who acts', () => {
  const files = ['src', 'test', 'tools'].flatMap(readSourceFiles);
  assert.ok(files.length > 400, `only ${files.length} files`);
  assert.deepEqual(files.flatMap(wordingFaults), []);
});

for (const path of ['CONTRIBUTING.md', 'SUPPORT.md', 'src/service/PROTOCOL.md'])
  test(`Sentences of ${path} begin with the thing or a verb and say who acts`, () => {
    assert.deepEqual(documentFaults(path, readFileSync(join(root, path), 'utf8')), []);
  });

test('Each function, class and constant that src exports is used by another file', () => {
  const files = ['src', 'test', 'tools'].flatMap(readFacts);
  const unused = files.flatMap(({ path, exports }) => {
    const importers = files.filter(({ imports }) => imports.some((one) => one.path === path));
    const isUsed = (name: string): boolean =>
      importers.some(({ lines }) => lines.some((line) => new RegExp(`\\b${escaped(name)}\\b`).test(line)));
    const found = path.startsWith('src/') ? exports.filter(({ name }) => !isUsed(name)) : [];
    return found.map(({ name }) => `${path} ${name}`);
  });
  // VS Code calls it.
  assert.deepEqual(unused, ['src/extension.ts activate']);
});

test('Names of defects begin with the thing or a verb and say who acts', () => {
  const names = DEFECTS.map(({ name }) => name);
  const faults = names.filter((name) => OPENER.test(name) || hasDiscouragedWord(name));
  assert.deepEqual(faults, []);
});

test('Faults of a document are in its paragraphs, items and cells, not in its code', () => {
  const markdown =
    '# A\n\nOne. What\nelse.\n\n- What is it.\n\n| It | Whoever does |\n\n```\nWhat = nobody;\n```\nNote that\n';
  assert.deepEqual(documentFaults('a.md', markdown), ['a.md: What else.', 'a.md: What is it.', 'a.md: Whoever does |']);
});

const SOURCE = `import type { A } from './b.ts';
import { a } from './b.ts';

/**
 * What is measured.
 * @param one first
 */
export function measured(one?: A): object {
  // One comment
  // of two lines.
  if (one) {
    for (const item of [a]) console.log(item); // oxlint-disable-line no-await-in-loop
  } else if (a) console.log(a);
  return { ...(one === undefined ? {} : { one }) };
}

type Parts = { readonly gate: () => void };
class OpenGate { open = (): void => {}; }
suite('The gate', () => test(\`opens \${1} times\`, () => {}));
`;

suite('The facts about a source', () => {
  const facts = factsOf('src/a.ts', SOURCE);
  const names = (found: readonly { readonly name: string }[]): string[] => found.map(({ name }) => name);

  test('are its functions with their lines and nesting', () => {
    assert.deepEqual(facts.functions, [
      { name: 'measured', line: 8, lines: 8, depth: 2 },
      { name: 'open', line: 18, lines: 1, depth: 0 },
    ]);
  });

  test('are its types, imports and spreads', () => {
    assert.deepEqual(names(facts.types), ['Parts', 'OpenGate']);
    assert.deepEqual(names(facts.imports), ['./b.ts', './b.ts']);
    assert.equal(facts.optionalSpreads.length, 1);
  });

  test('are its comments as sentences, without directives', () => {
    assert.deepEqual(facts.comments, [
      { name: 'What is measured. @param one first', line: 4 },
      { name: 'One comment of two lines.', line: 9 },
    ]);
    assert.equal(facts.directives.length, 1);
    assert.deepEqual(wordingFaults(facts), ['src/a.ts:4 What is measured. @param one first']);
  });

  test('are the titles of its tests', () => {
    assert.deepEqual(names(facts.titles), ['The gate', 'opens $ times']);
  });

  test('include circles of imports of types', () => {
    const other = factsOf('src/b.ts', "import type { measured } from './a.ts';");
    const [one] = linkedFiles([facts, other]);
    assert.deepEqual(one?.importers, ['src/b.ts']);
    assert.deepEqual(one?.circle, ['src/a.ts', 'src/b.ts']);
  });
});
