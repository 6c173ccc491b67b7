/** The changes that are tried in regular expressions. */

/** An escape, a class, the beginning of a group, a quantifier, or one other character. */
const PIECE =
  /\\(?:[pP]\{[^}]*\}|k<[^>]*>|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?<?[=!]|\((?:\?<\w+>|\?:)?|\{\d+(?:,\d*)?\}|[\s\S]/gu;

const NEGATED: Readonly<Record<string, string>> = {
  d: 'D',
  D: 'd',
  w: 'W',
  W: 'w',
  s: 'S',
  S: 's',
  b: 'B',
  B: 'b',
  p: 'P',
  P: 'p',
};

/** @param literal As it stands in the source, with slashes and flags. */
export function patternChanges(literal: string): string[] {
  const end = literal.lastIndexOf('/');
  const [body, flags] = [literal.slice(1, end), literal.slice(end + 1)];
  const inBody = Array.from(body.matchAll(PIECE)).flatMap(({ 0: piece, index }) =>
    piecesInstead(piece, body.slice(0, index)).map(
      (other) => `/${body.slice(0, index)}${other}${body.slice(index + piece.length)}/${flags}`,
    ),
  );
  // Without its other flags a pattern is no pattern any more, or never ends.
  const inFlags = flags.includes('i') ? [`/${body}/${flags.replace('i', '')}`] : [];
  return [...inBody, ...inFlags].filter(isPattern);
}

function piecesInstead(piece: string, before: string): string[] {
  if (piece === '^' || piece === '$') return [''];
  if (piece === '+' || piece === '*' || piece.startsWith('{')) return before === '' ? [] : [''];
  // A question mark is a quantifier of its own, or makes another one lazy.
  if (piece === '?') return [''];
  if (piece.startsWith('[^')) return [`[${piece.slice(2)}`];
  if (piece.startsWith('[')) return [`[^${piece.slice(1)}`];
  if (piece.startsWith('(?')) return groupsInstead(piece);
  const negated = piece.startsWith('\\') ? NEGATED[piece[1] ?? ''] : undefined;
  return negated === undefined ? [] : [`\\${negated}${piece.slice(2)}`];
}

/** A look ahead or behind for the opposite. */
function groupsInstead(piece: string): string[] {
  if (piece.endsWith('=')) return [`${piece.slice(0, -1)}!`];
  return piece.endsWith('!') ? [`${piece.slice(0, -1)}=`] : [];
}

function isPattern(literal: string): boolean {
  const end = literal.lastIndexOf('/');
  try {
    return new RegExp(literal.slice(1, end), literal.slice(end + 1)) instanceof RegExp;
  } catch {
    return false;
  }
}
