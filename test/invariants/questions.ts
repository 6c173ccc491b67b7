/** The product's questions in VS Code's own controls, by their words. */
import type { OpenInput } from './editor/host.ts';

export const ASKED = {
  address: /Server address/,
  plainHttp: /^Send credentials to .* without encryption/,
  token: /Access token( \(optional\)\.|\. Leave empty)|access token/i,
  name: /A name for this connection/,
  role: /What is this server used for/,
  summary: /The connection works|Can't connect/,
  userOrSummary: /Your user ID or URN|The connection works|Can't connect/,
  tokenName: /Name this token so you can recognize it later/,
  newToken: /Press Enter to create the access token on "/,
  acceptToken: /^Create (Access Token|Replacement)$/,
  duration: /Expires after/,
  replacement: /Create a replacement for "/,
  createdToken: /^The access token ".*" was created/,
  inspected: /Access token to inspect/,
  inspection: /What the access token says about itself/,
  connection: /Select a connection/,
  deletion: /^Delete (\d[\d,]* rows?|rows) from/,
  typedText: /Type .* to confirm/,
} as const;

/** What an input asks for. */
export function asks(input: OpenInput): string {
  return [input.title, input.prompt, input.placeholder].filter(Boolean).join(' | ');
}

export function withoutIcon(label: string): string {
  return label.replace(/^\$\([\w~-]+\) /, '');
}
