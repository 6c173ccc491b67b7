/** Masks secrets that are known only by their shape or by the name before them. */

export const MASK = '<redacted>';

/** A JSON Web Token, whole, cut off or broken over lines. */
const JSON_WEB_TOKEN = /eyJ[\w-]{4,}(?:\s*\.\s*[\w-]*|\s+[\w-]{16,})*/g;

/** Separates a token from a name that begins alike: names seldom mix digits, lower and upper case. */
const WHOLE_TOKEN = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{20}/s;

/** User and password in an address. A password may hold a slash; a port is none. */
const USER_IN_ADDRESS = new RegExp(
  String.raw`(\b[a-z][a-z0-9+.-]{0,30}:\/\/)(?:[^\s/?#"'<>@]{1,300}@` +
    String.raw`|[^\s/?#"'<>@:]{0,100}:(?!\d{1,5}(?:[/?#\s"'<>]|$))[^\s"'<>@]{1,300}@)+`,
  'gi',
);

/** Around a value, perhaps escaped. */
const QUOTES = '[\\\\"\'`]{0,9}';

/** `Bearer …`, `Bearer token …`. A word of a sentence after it is none. */
const SPOKEN_AFTER_BEARER =
  'auth(?:entication|orization)?|challenges?|credentials?|headers?|is|prefix|realm|schemes?|tokens?';
const BEARER = new RegExp(
  String.raw`\bBearer\s+${QUOTES}(?:(?:${SPOKEN_AFTER_BEARER})\b:?\s{1,20}${QUOTES}(?=[^\s"'<>,;]*[\d+/=])` +
    String.raw`|(?!(?:${SPOKEN_AFTER_BEARER})\b(?!-)))[^\s"'<>,;]{6,}`,
  'gi',
);

/** `Basic dXNlcjpwYXNz` or, as services of the platform sign in to each other, `Basic user:password`. */
const BASIC = new RegExp(
  String.raw`(\b[Bb]asic\s+${QUOTES})(?!realm\b)(?=[^\s"'\x60<>,;]*(?:[\d+/=]|[a-z][A-Z]{2}|:[^\s"'\x60<>,;]{4}))` +
    String.raw`[^\s"'\x60<>,;]{8,}`,
  'g',
);

/** Between a name and its value: `name=`, `"name": "`, `\"name\":`. */
const SEPARATOR = String.raw`(?:\\{0,8}["'])?\s{0,20}(?:=>|:=|[:=])\s{0,20}\(?`;
const LISTED = String.raw`\[[^\]]*|\{[^}]*`;
const QUOTED = String.raw`(\\*)(["'])(?:(?!(?<!\\)\2\3)[\s\S])*(?:\2\3)?`;
const PRIVATE_KEY = '-----BEGIN[\\s\\S]*?(?:-----END[^-]*-----|$)';
const WORD = String.raw`${MASK}|[^\s"',;&}\\]+`;
const VALUE = `(?:${LISTED}|${QUOTED}|${PRIVATE_KEY}|${WORD})`;
/** In a sentence or an ID, the name of a token or key stands before a word or a number that is no secret. */
const SPOKEN_WORD = String.raw`(?<=:\s{1,20})[a-z]{1,15}[.!?]?(?![^\s,;])|urn:`;
const SPOKEN_NUMBER = String.raw`(?<=:\s{1,20})\d{1,9}[.!?]?(?![^\s,;])`;
const NOT_IN_URN = String.raw`(?<!\burn:\w{1,20}:\w{0,40})`;

/** The end of a name is enough: `EBEAN_DATASOURCE_PASSWORD=`, `"accessToken":`, `x-api-key:`. */
const NAMED_VALUE = new RegExp(`((?:passwords?|passwd|secrets?)${SEPARATOR})${VALUE}`, 'gi');
const NAMED_TOKEN = new RegExp(`(${NOT_IN_URN}(?:token|bearer)${SEPARATOR})(?!${SPOKEN_WORD})${VALUE}`, 'gi');
const NAMED_KEY = new RegExp(
  String.raw`(${NOT_IN_URN}(?<![\w-])key${SEPARATOR})(?!${SPOKEN_WORD}|${SPOKEN_NUMBER})${VALUE}`,
  'gi',
);
const NAMED_COMPOUND_KEY = new RegExp(String.raw`(${NOT_IN_URN}(?<=[\w-])key${SEPARATOR})(?!urn:)${VALUE}`, 'gi');
/** A scheme with a word or parameters, `name="value", name=value`, or cookies, `name=value; name=value`. */
const PARAMETER = String.raw`[\w-]{1,40}=(?:"[^"]*"?|[^\s,;"']+)`;
const HEADER_VALUE =
  String.raw`(?:[\w-]{2,30}\s+(?=\S))?${QUOTES}(?:${PARAMETER}(?:,\s{0,20}${PARAMETER})*|${WORD})` +
  String.raw`(?:;\s{0,20}[\w.!-]{1,100}(?:=[^\s;,"'\\]*)?)*`;
const NAMED_HEADER = new RegExp(
  `((?:authorization|cookies?)${SEPARATOR})(?:${LISTED}|${QUOTED}|${HEADER_VALUE})`,
  'gi',
);

/** `<password>…`, `<property name="db.password">…`. */
const SECRET_NAME = '[\\w:.-]{0,60}(?:passwords?|secret|token|key|authorization|cookie)';
const NAMED_ELEMENT = new RegExp(
  String.raw`(<(?:${SECRET_NAME}\b[^<>]{0,200}|\w{1,60}\s[^<>]{0,200}=["']${SECRET_NAME}["'][^<>]{0,200})>)[^<]+`,
  'gi',
);

export function maskWebTokens(text: string): string {
  return text.replace(JSON_WEB_TOKEN, (found) => (WHOLE_TOKEN.test(found) ? MASK : found));
}

/** Masks everything that looks like a secret or is named as one. */
export function maskSecretShapes(text: string): string {
  return text
    .replace(USER_IN_ADDRESS, `$1${MASK}@`)
    .replace(NAMED_HEADER, `$1${MASK}`)
    .replace(NAMED_VALUE, `$1${MASK}`)
    .replace(NAMED_TOKEN, `$1${MASK}`)
    .replace(NAMED_COMPOUND_KEY, `$1${MASK}`)
    .replace(NAMED_KEY, `$1${MASK}`)
    .replace(BEARER, `Bearer ${MASK}`)
    .replace(BASIC, `$1${MASK}`)
    .replace(JSON_WEB_TOKEN, MASK);
}

/** Empties elements whose name says that they hold a secret: without their markup nothing would say so. */
export function emptySecretElements(markup: string): string {
  return markup.replace(NAMED_ELEMENT, '$1');
}
