// docs/servers.md has a row for each difference between servers, and names nothing else.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { FACTS, type AskedFactName } from '../../../../src/service/server/facts.ts';
import { root } from '../../../../tools/paths.ts';
import { KNOWN_PLACE, SCHEMA_OF_1_6, serviceAt, typeAnswer } from '../clients.ts';
import { reply, wireServer } from '../wireServer.ts';

const [, section = ''] = readFileSync(join(root, 'docs/servers.md'), 'utf8').split('## What differs');
const [header = [], , ...rows] = section
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.slice(2, -2).split(' | '));

/** What the column "known by" says about each name: "`filter`: type `FacetFilterInput`" and the like. */
const knownBy = rows
  .map((row) => row[header.indexOf('known by')] ?? '')
  .filter((cell) => cell !== '–')
  .flatMap((cell) => cell.split(/; |, else (?=`)/))
  .map((part) => ({ name: /^`(\w+)`/.exec(part)?.[1] ?? part, part }));

suite('The table of differences', () => {
  test('names every difference, and no other', () => {
    const names = [...new Set(knownBy.map(({ name }) => name))].toSorted();
    assert.deepEqual(names, Object.keys(FACTS).toSorted());
  });

  for (const name of Object.keys(SCHEMA_OF_1_6) as AskedFactName[]) {
    test(`names the type that shows it: ${name}`, async (context) => {
      const server = await wireServer(context, (_, response) => reply(response, 200, typeAnswer('fields', [])));
      await serviceAt(server.url, { knownFacts: KNOWN_PLACE }).server.fact(name);
      const [, type] = /__type\(name: \\"(\w+)\\"/.exec(server.requests[0]?.body ?? '') ?? [];
      assert.ok(type && knownBy.some(({ part }) => part.startsWith(`\`${name}\`: type \`${type}\``)));
    });
  }

  test('names each first release, and how long each fact holds', () => {
    for (const [name, row] of Object.entries(FACTS)) {
      if ('since' in row) {
        assert.ok(knownBy.some(({ part }) => part === `\`${name}\`: release ${row.since.join('.')}`));
      } else {
        const isForSession = knownBy.some(({ part }) => part.startsWith(`\`${name}\`, each session`));
        assert.equal(isForSession, row.stored === undefined, name);
      }
    }
  });
});
