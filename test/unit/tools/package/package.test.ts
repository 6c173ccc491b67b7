// npm run package, run in two copies of the repository: its files are the same, and say what they hold and where it
// comes from.
import JSZip from 'jszip';
import assert from 'node:assert/strict';
import { createHash, hash } from 'node:crypto';
import { appendFileSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { sourceDate } from '../../../../tools/package/sourceDate.ts';
import { root } from '../../../../tools/paths.ts';
import { age, copyRepository, LOCK, runIn } from './repositoryCopy.ts';

/** The parts of an SPDX document that are looked at, as they should be. */
type SpdxPackage = {
  readonly SPDXID: string;
  readonly name: string;
  readonly versionInfo: string;
  readonly downloadLocation: string;
  readonly checksums: readonly { readonly algorithm: string; readonly checksumValue: string }[];
};
type SpdxDocument = Readonly<Record<'spdxVersion' | 'dataLicense' | 'SPDXID' | 'documentNamespace', string>> & {
  readonly creationInfo: { readonly created: string; readonly creators: readonly string[] };
  readonly packages: readonly SpdxPackage[];
  readonly relationships: readonly Readonly<
    Record<'spdxElementId' | 'relationshipType' | 'relatedSpdxElement', string>
  >[];
};

const REPOSITORY = 'https://github.com/owner/name';
const PAGES = { bugs: `${REPOSITORY}/issues`, homepage: `${REPOSITORY}#readme` };
const [CONTENT, IMAGES] = [`${REPOSITORY}/blob/v1.0.0`, `${REPOSITORY}/raw/v1.0.0`];
const LINKS = ['--repository', REPOSITORY, '--bugs', PAGES.bugs, '--homepage', PAGES.homepage, '--qna', 'false'];
const ADDRESS = ['--baseContentUrl', CONTENT, '--baseImagesUrl', IMAGES];
const PROGRAM = ['tools/package/main.ts', ...LINKS, ...ADDRESS];
// Czech sorts `ch` after `h`.
const [HERE, THERE] = [
  { TZ: 'Pacific/Kiritimati', LC_ALL: 'C', NODE_ENV: 'production' },
  { TZ: 'America/St_Johns', LC_ALL: 'cs_CZ.UTF-8' },
];
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const VSIX = `metadata-service-${version}.vsix`;
const FILES = [VSIX, `${VSIX}.sha256`, `metadata-service-${version}.spdx.json`];

suite('Packages of two copies', () => {
  let one = '';
  let other = '';
  let printed = '';
  let archive = new JSZip();
  before(async () => {
    [one, other] = [copyRepository(), copyRepository()];
    age(other);
    [printed] = await Promise.all([runIn(one, PROGRAM, HERE), runIn(other, PROGRAM, THERE)]);
    archive = await JSZip.loadAsync(readFileSync(join(one, VSIX)));
  });
  after(() => [one, other].forEach((folder) => rmSync(folder, { recursive: true, force: true })));

  const packed = (name: string): Promise<string> =>
    archive.file(`extension/${name}`)?.async('string') ?? assert.fail(name);
  const notices = (): Promise<string> => packed('ThirdPartyNotices.txt');
  /** The packages that the notices list above the licenses, as `name version`. */
  const noticed = async (): Promise<string[]> => {
    const [list = ''] = (await notices()).split('\n---');
    return Array.from(list.matchAll(/^(\S+ \S+) \(\S+\)$/gm), ([, title = '']) => title);
  };
  const bill = (): SpdxDocument => JSON.parse(readFileSync(join(one, FILES[2] ?? ''), 'utf8')) as SpdxDocument;

  test('are the same, byte by byte, though time zone, language, times and modes differ', () => {
    for (const name of FILES) assert.ok(readFileSync(join(one, name)).equals(readFileSync(join(other, name))), name);
  });

  test('have the date of the latest release, not that of the build', () => {
    const date = new Date(sourceDate(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), undefined) * 1_000);
    for (const [name, entry] of Object.entries(archive.files)) assert.equal(entry.date.getTime(), date.getTime(), name);
    assert.equal(Date.parse(bill().creationInfo.created), date.getTime());
  });

  test('leave the sources as they were', () => {
    for (const name of ['package.json', 'README.md', 'package-lock.json'])
      assert.equal(readFileSync(join(one, name), 'utf8'), readFileSync(join(root, name), 'utf8'));
    const known = new Set([...readdirSync(root), ...FILES, 'dist']);
    assert.deepEqual(
      readdirSync(one).filter((name) => !known.has(name)),
      [],
    );
  });

  test('have a package.json with the links, and nothing that only the repository needs', async () => {
    const manifest = JSON.parse(await packed('package.json')) as Record<string, unknown>;
    assert.deepEqual(manifest['repository'], { type: 'git', url: REPOSITORY });
    assert.deepEqual([manifest['bugs'], manifest['homepage'], manifest['qna']], [PAGES.bugs, PAGES.homepage, false]);
    for (const name of ['scripts', 'private', 'dependencies', 'devDependencies', 'optionalDependencies'])
      assert.equal(name in manifest, false, name);
    assert.equal(manifest['version'], version);
    assert.equal(manifest['type'], 'module');
  });

  test('come with their SHA-256 and with how to verify them', () => {
    const digest = createHash('sha256')
      .update(readFileSync(join(one, VSIX)))
      .digest('hex');
    assert.equal(readFileSync(join(one, `${VSIX}.sha256`), 'utf8'), `${digest}  ${VSIX}\n`);
    const [, block] = printed.split('\nVerify the download:\n\n');
    assert.deepEqual(block?.trimEnd().split(/\n+/), [
      `    echo "${digest}  ${VSIX}" | sha256sum --check`,
      `    gh attestation verify ${VSIX} --repo owner/name`,
      'The same commit makes the same package again:',
      `    npm run package -- ${[...LINKS, ...ADDRESS].join(' ')}`,
    ]);
  });

  test('list in their notices each package that readable bundles name, and no other', async () => {
    // Without minifying, esbuild writes the path of each file above its code.
    await runIn(one, ['esbuild.config.mjs']);
    const built = readdirSync(join(one, 'dist')).filter((name) => /\.(?:js|css)$/.test(name));
    const code = built.map((name) => readFileSync(join(one, 'dist', name), 'utf8')).join('\n');
    const found = code.matchAll(
      /^\s*(?:\/\/|\/\*) node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\/\S+(?: \*\/)?\n(?!\s*(?:\/\/|\/\*) (?:node_modules|src)\/|\s*$)/gm,
    );
    const names = new Set(Array.from(found, ([, name = '']) => name));
    assert.ok(names.size > 5, [...names].join());
    assert.deepEqual(
      (await noticed()).map((title) => title.split(' ')[0]),
      [...names].toSorted(),
    );
  });

  test('have the license that a package without a file names', async () => {
    const text = await notices();
    assert.match(
      text,
      /\n@vscode\/l10n \S+ \(MIT\)\n[^]*?names Microsoft Corporation as its author\.\n\nMIT License\n\nPermission/,
    );
    assert.doesNotMatch(text, /Metadata Service Tools/);
  });

  test('have a bill of materials in SPDX 2.3 with what the notices list', async () => {
    const { packages, relationships, creationInfo, ...document } = bill();
    assert.deepEqual(
      [document.spdxVersion, document.dataLicense, document.SPDXID],
      ['SPDX-2.3', 'CC0-1.0', 'SPDXRef-DOCUMENT'],
    );
    assert.match(document.documentNamespace, /^https:\/\/[^\s#]+$/);
    assert.match(creationInfo.created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.ok(creationInfo.creators.every((creator) => /^(?:Tool|Organization|Person): \S/.test(creator)));
    const [own, ...contained] = packages;
    assert.deepEqual(
      contained.map(({ name, versionInfo }) => `${name} ${versionInfo}`),
      await noticed(),
    );
    for (const { SPDXID, downloadLocation } of packages) {
      assert.match(SPDXID, /^SPDXRef-[\w.-]+$/);
      assert.equal(downloadLocation, 'NOASSERTION');
    }
    assert.equal(own?.checksums[0]?.checksumValue, readFileSync(join(one, `${VSIX}.sha256`), 'utf8').split(' ')[0]);
    assert.deepEqual(
      relationships.map((each) => [each.spdxElementId, each.relationshipType, each.relatedSpdxElement]),
      [
        ['SPDXRef-DOCUMENT', 'DESCRIBES', own?.SPDXID],
        ...contained.map(({ SPDXID }) => [own?.SPDXID, 'CONTAINS', SPDXID]),
      ],
    );
  });

  test('have a bill of materials with the digests of the lock file', () => {
    for (const { name, checksums } of bill().packages.slice(1)) {
      const { integrity = '' } = LOCK.packages[`node_modules/${name}`] ?? {};
      const expected = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
      assert.deepEqual(checksums, [{ algorithm: 'SHA512', checksumValue: expected }], name);
    }
  });

  test('stay as they were when the next one is refused', async () => {
    const digests = (): string[] => FILES.map((name) => hash('sha256', readFileSync(join(other, name))));
    const earlier = digests();
    appendFileSync(join(other, '.vscodeignore'), '!media/story.gif\n');
    await assert.rejects(runIn(other, PROGRAM), /extension\/media\/story\.gif does not belong/);
    assert.deepEqual(digests(), earlier);
  });
});
