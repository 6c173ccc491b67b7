// npm run audit: asks the registry whether it signed the versions that are installed, and for known vulnerabilities.
// (Their bytes are compared with the digests of the lock file during the installation.) Ends with how many of the two
// answers are good. One that can't be had, such as from a mirror, counts as neither; with -- --required it counts as
// failed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runNpm } from '../npm.ts';
import { root } from '../paths.ts';
import { signatures, vulnerabilities, type AuditAnswer } from './answers.ts';

/** Where the registry is out of reach, more attempts only take longer. */
const ONCE = ['--json', '--fetch-retries=0', '--fetch-timeout=30000'];

const { values } = parseArgs({ options: { required: { type: 'boolean' } } });
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Parameters<typeof vulnerabilities>[1];
};

const [known, signed] = await Promise.all([
  runNpm(root, ['audit', ...ONCE]),
  runNpm(root, ['audit', 'signatures', ...ONCE]),
]);
const results = [
  judge('Known vulnerabilities in what ships', vulnerabilities(known.stdout, packages)),
  judge('Signatures of the registry', signatures(signed.stdout)),
];
const failed = results.filter((result) => result === 'failed').length;
console.log(`${results.filter((result) => result === 'passed').length} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** Prints an answer and says what it counts as. */
function judge(question: string, answer: AuditAnswer): 'passed' | 'failed' | 'neither' {
  if (!answer.reached) {
    console.log(`- ${question}: not checked (${answer.reason}).`);
    return values.required === true ? 'failed' : 'neither';
  }
  const { faults, remarks } = answer;
  console.log(
    `${faults.length > 0 ? '✗' : '✓'} ${question}: ${faults.length === 0 ? 'good' : `${faults.length} found`}`,
  );
  for (const fault of faults) console.log(`  ✗ ${fault}`);
  for (const remark of remarks) console.log(`  - not in what ships: ${remark}`);
  return faults.length > 0 ? 'failed' : 'passed';
}
