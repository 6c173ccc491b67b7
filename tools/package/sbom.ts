import type { BundledPackage } from './bundled.ts';
import { runNpm } from '../npm.ts';

/** The parts of an SPDX 2.3 document that are used here. */
type SpdxDocument = {
  readonly documentDescribes: readonly string[];
  readonly creationInfo: { readonly creators: readonly string[] };
  readonly packages: readonly SpdxPackage[];
};

type SpdxPackage = { readonly SPDXID: string; readonly name: string; readonly versionInfo: string };

export type PackedFile = { readonly name: string; readonly sha256: string };

/**
 * The bill of materials of a package: an SPDX 2.3 document in JSON. npm knows all packages of the lock file, without
 * the network; here they are reduced to those with code in the bundles. `npm sbom --omit dev` would not do: it leaves
 * out what a tool uses as well, such as graphql.
 *
 * @param date Unix time in s
 * @throws a sentence if the lock file has another version of a bundled package
 */
export async function billOfMaterials(
  folder: string,
  file: PackedFile,
  bundled: readonly BundledPackage[],
  date: number,
): Promise<string> {
  const whole = await wholeBill(folder);
  const [own] = whole.packages;
  if (own === undefined) throw new Error('The bill of materials from npm is empty.');
  const contained = bundled.map((one) => packageOf(whole, one));
  return `${JSON.stringify(
    {
      ...whole,
      name: file.name,
      // Unique for this package, and the same each time it is built.
      documentNamespace: `https://spdx.org/spdxdocs/${file.name}-${file.sha256}`,
      creationInfo: { ...whole.creationInfo, created: new Date(date * 1_000).toISOString().replace('.000', '') },
      packages: [ownPackage(own, file), ...contained],
      relationships: [
        relationship('SPDXRef-DOCUMENT', 'DESCRIBES', own),
        ...contained.map((one) => relationship(own.SPDXID, 'CONTAINS', one)),
      ],
    },
    undefined,
    2,
  )}\n`;
}

async function wholeBill(folder: string): Promise<SpdxDocument> {
  // Also with NODE_ENV=production, which makes npm leave out what a tool uses as well.
  const format = ['--sbom-format=spdx', '--sbom-type=application', '--include=dev'];
  const { status, stdout, stderr } = await runNpm(folder, ['sbom', ...format, '--package-lock-only']);
  if (status !== 0) throw new Error(`npm sbom, which npm has from 10 on, failed:\n${stderr}`);
  return JSON.parse(stdout) as SpdxDocument;
}

function packageOf({ packages }: SpdxDocument, { name, version }: BundledPackage): SpdxPackage {
  const found = packages.find((one) => one.name === name && one.versionInfo === version);
  if (found === undefined) throw new Error(`${name} ${version} is in the bundles, but not in package-lock.json.`);
  return found;
}

/** The description in package.json is the key of a translated text, and npm's registry doesn't have this package. */
function ownPackage(own: SpdxPackage, { name, sha256 }: PackedFile): object {
  const checksums = [{ algorithm: 'SHA256', checksumValue: sha256 }];
  return { ...own, description: undefined, externalRefs: undefined, packageFileName: name, checksums };
}

function relationship(from: string, relationshipType: string, { SPDXID }: SpdxPackage): object {
  return { spdxElementId: from, relatedSpdxElement: SPDXID, relationshipType };
}
