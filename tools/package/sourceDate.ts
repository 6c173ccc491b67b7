/** A release in the changelog. */
const RELEASE = /^## \[[^\]\n]+\] - (\d{4}-\d{2}-\d{2})$/m;

/** Years that a ZIP archive can hold: 1980 to 2107, in any time zone. Unix time in s. */
const [FIRST, LAST] = [Date.UTC(1980, 0, 2) / 1_000, Date.UTC(2107, 11, 30) / 1_000];

/**
 * The date of everything in a package: `SOURCE_DATE_EPOCH` (reproducible-builds.org), or the latest release in the
 * changelog. That date needs no history: a shallow clone and an archive of the sources make the same bytes.
 *
 * @param given value of the environment variable
 * @returns Unix time in s
 * @throws a sentence if there is no such date
 */
export function sourceDate(changelog: string, given: string | undefined): number {
  if (given === undefined || given === '') return releaseDate(changelog);
  const seconds = Number(given);
  if (!/^\d{1,10}$/.test(given) || seconds < FIRST || seconds > LAST)
    throw new Error(`SOURCE_DATE_EPOCH is Unix time in seconds from 1980 to 2107, not ${JSON.stringify(given)}.`);
  return seconds;
}

function releaseDate(changelog: string): number {
  const [, day = ''] = RELEASE.exec(changelog) ?? [];
  const seconds = Date.parse(`${day}T00:00:00Z`) / 1_000;
  if (Number.isNaN(seconds)) throw new Error('CHANGELOG.md has no release with a date.');
  return seconds;
}
