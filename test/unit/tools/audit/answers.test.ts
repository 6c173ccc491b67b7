import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { signatures, vulnerabilities, type AuditAnswer } from '../../../../tools/audit/answers.ts';
import { runNpm } from '../../../../tools/npm.ts';
import { root } from '../../../../tools/paths.ts';

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Parameters<typeof vulnerabilities>[1];
};

/** The answer after `npm audit`, from a registry that knows these advisories by package, or none at all. */
async function auditOf(t: TestContext, advisories?: Readonly<Record<string, readonly object[]>>): Promise<AuditAnswer> {
  const registry = createServer((request, response) => {
    const isAsked = request.method === 'POST' && request.url === '/-/npm/v1/security/advisories/bulk';
    response.statusCode = isAsked && advisories !== undefined ? 200 : 404;
    request.resume().on('end', () => response.end(JSON.stringify(isAsked ? advisories : {})));
  });
  registry.listen(0, '127.0.0.1');
  t.after(() => registry.close());
  await once(registry, 'listening');
  const { port } = registry.address() as AddressInfo;
  // npm keeps advisories.
  const cache = mkdtempSync(join(tmpdir(), 'metadata-service-audit-'));
  t.after(() => rmSync(cache, { recursive: true, force: true }));
  const source = [`--registry=http://127.0.0.1:${port}/`, `--cache=${cache}`];
  const { stdout } = await runNpm(root, ['audit', '--json', '--fetch-retries=0', ...source]);
  return vulnerabilities(stdout, packages);
}

function advisory(title: string): object {
  const cvss = { score: 0, vectorString: null };
  return { id: 1, url: 'https://example.com/1', title, severity: 'low', vulnerable_versions: '*', cwe: [], cvss };
}

suite('Known vulnerabilities, as npm reports them', () => {
  test('are faults in what ships, also if a tool needs it too, and remarks in tools', async (t) => {
    const answer = await auditOf(t, { graphql: [advisory('Slow\n::error::parser')], mocha: [advisory('Odd')] });
    assert.ok(answer.reached);
    assert.ok(answer.faults.includes('graphql (low): Slow ::error::parser'), answer.faults.join('\n'));
    assert.ok(answer.remarks.includes('mocha (low): Odd'), answer.remarks.join('\n'));
    assert.ok(!answer.faults.some((fault) => fault.startsWith('mocha')));
  });

  test('are not known where the registry does not say', async (t) => {
    const answer = await auditOf(t);
    assert.ok(!answer.reached);
    assert.match(answer.reason, /^404 /);
  });
});

suite('Signatures, as npm reports them', () => {
  test('are faults where they are invalid or missing', () => {
    const output = { invalid: [{ name: 'a', version: '1.0.0' }], missing: [{ name: 'b', version: '2.0.0\n' }] };
    assert.deepEqual(signatures(JSON.stringify(output)), {
      reached: true,
      faults: ['a 1.0.0: invalid signature', 'b 2.0.0: missing signature'],
      remarks: [],
    });
  });

  for (const output of ['', '{"invalid":[]}', '{"error":{"summary":"no network"}}'])
    test(`are not known after ${output === '' ? 'no output' : output}`, () => {
      const reason = output.includes('network') ? 'no network' : 'npm gave no answer';
      assert.deepEqual(signatures(output), { reached: false, reason });
    });
});
