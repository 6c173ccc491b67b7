import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { nameProblem } from '../../../../src/indices/indexName.ts';
import { retentionsIn } from '../../../../src/service/ingestion/recipe.ts';
import { gcRecipe } from '../../../../src/truncation/model/gcRecipe.ts';
import type { CutOff } from '../../../../src/truncation/model/gcRecipe.ts';
import { failureOf } from '../../service/clients.ts';

/** It has no types of its own. */
const yaml = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown };

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 7, 21, 12, 5);
const daysAgo = (days: number): number => NOW - days * DAY;
const PROFILES: CutOff = { entityType: 'dataset', aspect: 'datasetprofile', endTimeMillis: daysAgo(90) };
const OPERATIONS: CutOff = { entityType: 'dataset', aspect: 'operation', endTimeMillis: daysAgo(30) };

interface Recipe {
  readonly source: { readonly type: string; readonly config: Readonly<Record<string, unknown>> };
}

function read(cutOffs: readonly CutOff[]): Recipe {
  return yaml.load(gcRecipe(cutOffs, NOW)) as Recipe;
}

/** How many days the collector would keep. */
function keptDays(endTimeMillis: number): unknown {
  return read([{ ...PROFILES, endTimeMillis }]).source.config['truncate_index_older_than_days'];
}

suite('Cut-offs as a recipe of the garbage collector', () => {
  test('truncate the indices that were chosen, and do nothing else', () => {
    assert.deepEqual(read([PROFILES, OPERATIONS]), {
      source: {
        type: 'datahub-gc',
        config: {
          truncate_indices: true,
          truncate_index_older_than_days: 90,
          truncate_aspect_retentions: [
            { entity_type: 'dataset', aspect: 'datasetprofile', older_than_days: 90 },
            { entity_type: 'dataset', aspect: 'operation', older_than_days: 30 },
          ],
          cleanup_expired_tokens: false,
          dataprocess_cleanup: { enabled: false },
          soft_deleted_entities_cleanup: { enabled: false },
          execution_request_cleanup: { enabled: false },
          query_cleanup: { enabled: false },
        },
      },
    });
  });

  test('count in whole days, of which one stays at least', () => {
    assert.equal(keptDays(daysAgo(90) - 50 * 60_000), 90, 'chosen fifty minutes ago');
    assert.equal(keptDays(daysAgo(90.5)), 91, 'rather more than fewer');
    assert.equal(keptDays(daysAgo(0.2)), 1);
    assert.equal(keptDays(daysAgo(-100)), 1, 'one in the future');
  });

  test('of one index twice keep the longer', () => {
    const { config } = read([
      OPERATIONS,
      { ...OPERATIONS, aspect: 'Operation', endTimeMillis: daysAgo(60) },
      OPERATIONS,
    ]).source;
    assert.deepEqual(config['truncate_aspect_retentions'], [
      { entity_type: 'dataset', aspect: 'Operation', older_than_days: 60 },
    ]);
  });

  test('say in comments what a recipe cannot express', () => {
    const text = gcRecipe(
      [PROFILES, OPERATIONS, { ...PROFILES, entityType: 'query', aspect: 'queryusagestatistics' }],
      NOW,
    );
    for (const said of [
      /# - A fixed cut-off\./,
      /# - Strategy, batch size and timeout\./,
      /dry_run does not cover truncation/,
      /# +They never truncate these:\n# +dataset\/datasetprofile\n# +Versions/,
      /# Chosen: rows until 2026-05-23 12:05 UTC\n/,
    ]) {
      assert.match(text, said);
    }
    assert.doesNotMatch(gcRecipe([OPERATIONS], NOW), /They never truncate/);
  });

  test('hold no address, and a variable in place of a token', () => {
    const text = gcRecipe([PROFILES], NOW);
    assert.match(text, /# {3}server: "\$\{DATAHUB_GMS_URL\}"\n# {3}token: "\$\{DATAHUB_GMS_TOKEN\}"\n$/);
    assert.doesNotMatch(text, /https?:/);
  });

  test('are no recipe of a name that no index has', async () => {
    for (const aspect of ['', '*', 'a\nb', 'a"b', '${TOKEN}', 'a: b', '- a']) {
      // oxlint-disable-next-line no-await-in-loop -- one name after the other
      const failure = await failureOf(Promise.resolve().then(() => gcRecipe([{ ...PROFILES, aspect }], NOW)));
      assert.equal(failure.kind, 'badRequest', aspect);
    }
  });

  const NAMES = fc.oneof(
    fc.constantFrom('no', 'on', 'Null', 'true', 'e5', 'y', 'n'),
    fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,20}$/),
  );
  const CUT_OFFS = fc.array(
    fc.record({ entityType: NAMES, aspect: NAMES, endTimeMillis: fc.integer({ min: 1, max: NOW + 10 * DAY }) }),
    { minLength: 1, maxLength: 10 },
  );

  test('keep all of what was chosen to stay, and are read back as they were written', () => {
    fc.assert(
      fc.property(CUT_OFFS, (cutOffs) => {
        const recipe = read(cutOffs);
        const retentions = retentionsIn(JSON.stringify(recipe));
        for (const { entityType, aspect, endTimeMillis } of cutOffs) {
          assert.equal(nameProblem(aspect, 'aspect'), undefined);
          const kept = retentions(entityType, aspect);
          assert.ok(typeof kept === 'number' && kept >= 1, `${entityType}/${aspect}: ${kept}`);
          const isUpToLastDay = endTimeMillis > NOW - DAY;
          assert.ok(isUpToLastDay || NOW - kept * DAY <= endTimeMillis + DAY / 24);
        }
      }),
    );
  });
});
