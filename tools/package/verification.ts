import { createHash } from 'node:crypto';
import type { PublicLinks } from './options.ts';

const GITHUB = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/;

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * How to verify a downloaded package, as Markdown that is readable in a terminal too. The attestation is made by the
 * release workflow, so it exists for a repository on GitHub only. Who builds the package again needs the arguments.
 *
 * @param file name of the package
 * @param digest its SHA-256, in hex
 * @param args of `npm run package`: addresses that need no quotes
 */
export function verification(
  file: string,
  digest: string,
  { repository = '' }: PublicLinks = {},
  args: readonly string[] = [],
): string {
  const [, ownerAndName] = GITHUB.exec(repository) ?? [];
  const attested = ownerAndName === undefined ? [] : [`gh attestation verify ${file} --repo ${ownerAndName}`];
  const commands = [`echo "${digest}  ${file}" | sha256sum --check`, ...attested];
  const verify = `Verify the download:\n\n${commands.map((command) => `    ${command}`).join('\n')}`;
  return args.length === 0
    ? verify
    : `${verify}\n\nThe same commit makes the same package again:\n\n    npm run package -- ${args.join(' ')}`;
}
