import type { ZipEntry } from './zip.ts';

/** Largest size of the package, in bytes. */
export const PACKAGE_BUDGET = 250_000;

/** Everything that may be in the package. What is not named here (source, tests, maps, dependencies) stays out. */
const ALLOWED = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/package(\.nls(\.[a-z-]+)?)?\.json$/i,
  /^extension\/(readme|changelog)\.md$/i,
  /^extension\/LICENSE(\.txt)?$/i,
  /^extension\/l10n\/bundle\.l10n\.[a-z-]+\.json$/i,
  /^extension\/dist\/((extension|chunk|onDemand|main)\.cjs|wizard\.js|wizard\.css)$/,
  /^extension\/media\/(icon\.png|metadata-service\.svg)$/,
  /^extension\/media\/walkthrough\/[\w-]+\.(md|svg|png)$/,
];

/** Without these the package would install and do nothing. */
export const NEEDED = [
  'extension/package.json',
  'extension/package.nls.json',
  'extension/dist/extension.cjs',
  'extension/dist/onDemand.cjs',
  'extension/dist/main.cjs',
  'extension/dist/wizard.js',
];

/**
 * What is wrong with a package, a sentence each; nothing when it may be published.
 *
 * @param size of the package, in bytes
 */
export function packageFaults(entries: readonly ZipEntry[], size: number): string[] {
  const names = entries.map(({ name }) => name).filter((name) => !name.endsWith('/'));
  const strays = names.filter((name) => !ALLOWED.some((pattern) => pattern.test(name)));
  const missing = NEEDED.filter((name) => !names.includes(name));
  const [shown, budget] = [size, PACKAGE_BUDGET].map((bytes) => bytes.toLocaleString('en'));
  return [
    ...strays.map((name) => `${name} does not belong into the package.`),
    ...missing.map((name) => `${name} is missing from the package.`),
    ...(size > PACKAGE_BUDGET ? [`The package has ${shown} bytes, over its budget of ${budget}.`] : []),
  ];
}
