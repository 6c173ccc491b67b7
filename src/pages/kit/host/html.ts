/** A page with its script and its style, which can load nothing else. Its content arrives as messages. */

export interface WebviewPage {
  /** New for each page, in base64. */
  readonly nonce: string;
  /** The built script, which holds no tag of a script. */
  readonly script: string;
  /** The built style sheet. */
  readonly style: string;
  readonly title: string;
  /** For screen readers and hyphenation, for example "pt-br". */
  readonly language: string;
}

/** The page as HTML. */
export function pageHtml({ nonce, script, style, title, language }: WebviewPage): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<script type="module" nonce="${nonce}">${script}</script>
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
