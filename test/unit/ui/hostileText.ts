import * as fc from 'fast-check';

const PIECES = [
  '[Renew](command:workbench.action.quit)',
  '[a](https://example.com "title")',
  '[b](file:///etc/passwd)',
  '$(key)',
  '$(sync~spin)',
  '\\$(bug)',
  '[',
  ']',
  '(',
  ')',
  '$',
  '\\',
  'command:',
  'https://x',
  'key',
  ' ',
  '"',
  '\u200B',
  '\u200D',
  '\uFE0F',
  '\u202E',
  '\u2066',
  '\u001B[31m',
  '\u0007',
  '\u0000',
  '\n',
  '\r\n',
  '\u2028',
  '\uD83D',
  '👩‍🚀',
];

/** Text made of links and icons in VS Code's syntax, of characters that hide them, and of anything else. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: 'binary', maxLength: 4 })), {
    maxLength: 40,
  })
  .map((pieces) => pieces.join(''));
