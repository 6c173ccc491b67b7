/** Masks secrets that are known only by their shape or by the name before them. */

const MASK = '<redacted>';

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

/** `Bearer …`, unless a word of a sentence follows. */
const SPOKEN_AFTER_BEARER =
  'auth(?:entication|orization)?|challenges?|credentials?|headers?|is|prefix|realm|schemes?|tokens?';
const BEARER = new RegExp(String.raw`\bBearer\s+(?!(?:${SPOKEN_AFTER_BEARER})\b(?!-))[^\s"'<>,;]{6,}`, 'gi');

/** `Basic dXNlcjpwYXNz` or, as services of the platform sign in to each other, `Basic user:password`. */
const BASIC =
  /(\b[Bb]asic\s+["'`]?)(?!realm\b)(?=[^\s"'`<>,;]*(?:[\d+/=]|[a-z][A-Z]{2}|:[^\s"'`<>,;]{4}))[^\s"'`<>,;]{8,}/g;

/** Between a name and its value: `name=`, `"name": "`, `\"name\":[`. */
const SEPARATOR = String.raw`(?:\\{0,8}["'])?\s{0,20}(?:=>|:=|[:=])\s{0,20}[[({]{0,2}`;
const QUOTED = String.raw`(\\*)(["'])(?:(?!(?<!\\)\2\3)[\s\S])*(?:\2\3)?`;
const WORD = String.raw`${MASK}|[^\s"',;&}\\]+`;
/** A name that also occurs in sentences and IDs: neither a word nor a number that follows a colon is secret. */
const SPOKEN = String.raw`(?<=:\s{1,20})(?:[a-z]{1,15}|\d{1,9})[.!?]?(?![^\s,;])|urn:`;

/** The end of a name is enough: `EBEAN_DATASOURCE_PASSWORD=`, `"accessToken":`. */
const NAMED_VALUE = new RegExp(`((?:passwords?|passwd|secrets?)${SEPARATOR})(?:${QUOTED}|${WORD})`, 'gi');
const NAMED_TOKEN = new RegExp(
  String.raw`((?<!\burn:\w{1,20}:\w{0,40})(?:token|key)${SEPARATOR})(?!${SPOKEN})(?:${QUOTED}|${WORD})`,
  'gi',
);
/** A scheme with a word or parameters, `name="value", name=value`, or cookies, `name=value; name=value`. */
const PARAMETER = String.raw`[\w-]{1,40}=(?:"[^"]*"?|[^\s,;"']+)`;
const HEADER_VALUE =
  String.raw`(?:[\w-]{2,30}\s+(?=\S))?(?:${PARAMETER}(?:,\s{0,20}${PARAMETER})*|${WORD})` +
  String.raw`(?:;\s{0,20}[\w.!-]{1,100}(?:=[^\s;,"'\\]*)?)*`;
const NAMED_HEADER = new RegExp(`((?:authorization|cookie)${SEPARATOR})(?:${QUOTED}|${HEADER_VALUE})`, 'gi');

/** Masks tokens with a recognizable shape. */
export function maskIssuedTokens(text: string): string {
  return text.replace(JSON_WEB_TOKEN, (found) => (WHOLE_TOKEN.test(found) ? MASK : found));
}

/** Masks everything that looks like a secret or is named as one. */
export function maskSecretShapes(text: string): string {
  return text
    .replace(USER_IN_ADDRESS, `$1${MASK}@`)
    .replace(NAMED_HEADER, `$1${MASK}`)
    .replace(NAMED_VALUE, `$1${MASK}`)
    .replace(NAMED_TOKEN, `$1${MASK}`)
    .replace(BEARER, `Bearer ${MASK}`)
    .replace(BASIC, `$1${MASK}`)
    .replace(JSON_WEB_TOKEN, MASK);
}
