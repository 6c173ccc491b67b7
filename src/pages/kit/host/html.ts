/** An empty page with a content security policy, a script and a style sheet. Its content arrives as messages. */

export interface WebviewPageFiles {
  /** The allowed source of style sheets: `webview.cspSource`. */
  readonly cspSource: string;
  /** New for each page: 16 or more base64 characters. */
  readonly nonce: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  readonly title: string;
  /** For screen readers and hyphenation, for example "pt-br". */
  readonly language: string;
}

const NONCE = /^[A-Za-z0-9+/_-]{16,}={0,2}$/;

/** Ends a directive, so sources may not hold it. */
const POLICY_SEPARATOR = ';';

/**
 * The page as HTML.
 * @throws RangeError if the nonce or the source could weaken the policy.
 */
export function pageHtml(page: WebviewPageFiles): string {
  if (!NONCE.test(page.nonce)) {
    throw new RangeError('The nonce must be at least 16 characters of base64.');
  }
  if (page.cspSource.includes(POLICY_SEPARATOR)) {
    throw new RangeError('The source of the content security policy holds a separator.');
  }
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${page.nonce}'`,
    `style-src ${page.cspSource}`,
    `font-src ${page.cspSource}`,
    "img-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(page.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escapeHtml(page.styleUri)}">
<title>${escapeHtml(page.title)}</title>
</head>
<body>
<script type="module" nonce="${page.nonce}" src="${escapeHtml(page.scriptUri)}"></script>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
