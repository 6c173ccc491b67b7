/** The product's questions in VS Code's own controls, by their words. */
import type { OpenInput } from './editor/host.ts';

export const ASKED = {
  address: /Server address/,
  plainHttp: /^Send credentials to .* without encryption/,
  token: /Access token( \(optional\)\.|\. Leave empty| for )/,
  user: /Your user ID or URN/,
  name: /A name for this connection/,
  role: /What is this server used for/,
  form: /Select what to change, or save/,
  tokenName: /Name this token so you can recognize it later/,
  newToken: /Press Enter to create the access token on "/,
  acceptToken: /^Create (Access Token|Replacement)$/,
  duration: /Expires after/,
  replacement: /Create a replacement for "/,
  createdToken: /^The access token ".*" was created/,
  inspected: /Access token to inspect/,
  inspection: /What the access token says about itself/,
  connection: /Select a connection/,
  deletion: /^Delete (\d[\d,]* of [\d,]+ rows?|rows) of/,
  typedText: /Type ".*"(?:\.| to revoke )/,
} as const;

/** What an input asks for. */
export function asks(input: OpenInput): string {
  return [input.title, input.prompt, input.placeholder].filter(Boolean).join(' | ');
}

export function withoutIcon(label: string): string {
  return label.replace(/^\$\([\w~-]+\) /, '');
}
