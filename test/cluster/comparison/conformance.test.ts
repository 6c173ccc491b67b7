// Conformance run over a real search cluster.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLAIMS } from '../../../tools/conformance/claims.ts';
import { ownTokens, runConformance } from '../../conformance/running.ts';
import { startReal } from './engines.ts';

test('every claim holds over a real search cluster', async (t) => {
  const { service } = await startReal({ profile: '1.7', tokens: 5 });
  t.after(() => service.close());
  const run = await runConformance(service);
  assert.equal(run.with('holds').length, CLAIMS.length, run.printed);
  assert.deepEqual([run.exitCode, ownTokens(service)], [0, []]);
});
