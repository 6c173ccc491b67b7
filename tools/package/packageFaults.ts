/** Size limit of the package, in bytes. */
export const PACKAGE_BUDGET = 560_000;

/** Everything that may be in the package besides the build. Source, tests, maps and dependencies stay out. */
const ALLOWED = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/package(\.nls(\.[a-z-]+)?)?\.json$/i,
  /^extension\/(readme|changelog)\.md$/i,
  /^extension\/docs\/(guide|troubleshooting)\.md$/,
  /^extension\/(LICENSE|ThirdPartyNotices)\.txt$/i,
  /^extension\/l10n\/bundle\.l10n\.[a-z-]+\.json$/i,
  /^extension\/media\/(icon\.png|metadata-service\.svg|tab-(production-)?(light|dark)\.svg)$/,
  // Pictures of the walkthrough, not those of the README.
  /^extension\/media\/(tree|report)-dark\.png$/,
  // Template of a scheduled job.
  /^extension\/media\/truncate\.sh$/,
  /^extension\/media\/walkthrough\/[\w.-]+\.md$/,
];

/**
 * Without these, the package would not work after its installation, its walkthrough would have gaps, or its code would
 * be there without its licenses.
 */
export const NEEDED = [
  'extension/package.json',
  'extension/package.nls.json',
  'extension/LICENSE.txt',
  'extension/ThirdPartyNotices.txt',
  'extension/docs/guide.md',
  'extension/docs/troubleshooting.md',
  'extension/dist/extension.cjs',
  'extension/dist/wizard.js',
  'extension/dist/wizard.css',
  'extension/dist/overview.js',
  'extension/dist/overview.css',
  'extension/media/tree-dark.png',
  'extension/media/report-dark.png',
  'extension/media/truncate.sh',
];

/** Files of a build in `dist`: code and styles. */
const BUILT = /^[\w-]+\.(c?js|css)$/;

/**
 * Faults of a package, one sentence each. Empty if it may be published.
 *
 * @param entries names in its archive
 * @param size of the package, in bytes
 * @param built names of the files in `dist`; the package needs all of them, because they import each other
 * @param translations files of translated texts, relative to the repository's folder
 */
export function packageFaults(
  entries: readonly string[],
  size: number,
  built: readonly string[],
  translations: readonly string[] = [],
): string[] {
  const names = entries.filter((name) => !name.endsWith('/'));
  const code = built.filter((name) => BUILT.test(name)).map((name) => `extension/dist/${name}`);
  const strays = names.filter((name) => !code.includes(name) && !ALLOWED.some((pattern) => pattern.test(name)));
  const texts = translations.map((name) => `extension/${name}`);
  const missing = [...new Set([...NEEDED, ...code, ...texts])].filter((name) => !names.includes(name));
  const [shown, budget] = [size, PACKAGE_BUDGET].map((bytes) => bytes.toLocaleString('en'));
  return [
    ...strays.map((name) => `${name} does not belong into the package.`),
    ...missing.map((name) => `${name} is missing from the package.`),
    ...(size > PACKAGE_BUDGET ? [`The package has ${shown} bytes, over its budget of ${budget}.`] : []),
  ];
}
