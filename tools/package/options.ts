import { parseArgs } from 'node:util';

/** Public URL of the repository's files, without a trailing slash. */
export type PublicAddress = {
  /** Base of links in the README. */
  readonly content: string;
  /** Base of pictures in the README. */
  readonly images: string;
};

/** Links of an extension's page in a marketplace and in VS Code. */
export type PublicLinks = {
  readonly repository?: string;
  /** Page to report problems. */
  readonly bugs?: string;
  readonly homepage?: string;
  /** Page to ask questions, or `marketplace` for the Visual Studio Marketplace's own one, or false for none. */
  readonly qna?: string | false;
};

export type PackageOptions = {
  /** Address for the README's pictures and links; without one it has neither. */
  readonly address?: PublicAddress;
  readonly links?: PublicLinks;
};

/** Characters of a URL that need no quotes in Markdown, XML, JSON or a shell. */
const PLAIN_URL = /^https:\/\/[\w.-]+(?::\d+)?(?:\/[\w./~%@:=+,-]*)?(?:\?[\w./~%@:=+,-]*)?(?:#[\w./~%-]*)?$/;

/**
 * The options in the arguments of `npm run package`. All are optional, but the two of the README, which have vsce's
 * names, go together.
 * @throws a sentence if the arguments are anything else
 */
export function packageOptions(args: readonly string[]): PackageOptions {
  const string = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      baseContentUrl: string,
      baseImagesUrl: string,
      repository: string,
      bugs: string,
      homepage: string,
      qna: string,
    },
  });
  const { baseContentUrl: content, baseImagesUrl: images, qna, ...pages } = values;
  if ((content === undefined) !== (images === undefined))
    throw new Error('--baseContentUrl and --baseImagesUrl go together.');
  for (const [name, url] of Object.entries({ baseContentUrl: content, baseImagesUrl: images })) {
    // A path is appended.
    if (url !== undefined && /[?#]|\/$/.test(url))
      throw new Error(`--${name} has no slash at its end, no query and no fragment, unlike ${JSON.stringify(url)}.`);
  }
  for (const [name, url] of Object.entries(values)) {
    if (name !== 'qna' || (url !== 'false' && url !== 'marketplace')) requirePlainUrl(name, url);
  }
  return {
    ...(content === undefined || images === undefined ? {} : { address: { content, images } }),
    links: { ...pages, ...(qna === undefined ? {} : { qna: qna === 'false' ? false : qna }) },
  };
}

/** VS Code shows pictures from https addresses only, and vsce accepts no others; links must be https too. */
function requirePlainUrl(name: string, url: string): void {
  if (!PLAIN_URL.test(url) || !URL.canParse(url))
    throw new Error(`--${name} is a plain address that starts with https://, not ${JSON.stringify(url)}.`);
}
