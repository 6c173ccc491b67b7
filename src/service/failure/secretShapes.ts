/** Masks secrets that are known only by their shape or by the name before them. */

const MASK = '<redacted>';

/** A private key, whole or cut off, also with escaped line breaks. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,20}-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}-----|$)/g;

/** A JSON Web Token, whole, cut off or broken over lines. */
const JSON_WEB_TOKEN = /eyJ[\w-]{4,}(?:\s*\.\s*[\w-]*|\s+[\w-]{16,})*/g;

/** Prefixes of issuers. */
const ISSUERS =
  String.raw`gh[oprsu]_|github_pat_|gl(?:pat|rt|dt|ptt|ft|cbt)-|xox[a-z]-|xapp-|sk-|[rs]k_(?:live|test)_|whsec_|` +
  String.raw`AIza|ya29\.|hf_|npm_|pypi-|dckr_pat_|dop_v1_|hv[bs]\.|SG\.|shpat_|dapi`;
const ISSUED = new RegExp(String.raw`\b(?:${ISSUERS})[\w.-]{16,}`, 'g');

/** Separates a token from a name with the same prefix: names seldom mix digits, lower and upper case. */
const WHOLE_TOKEN = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{20}/s;

/** User and password in an address. A password may hold a slash; a port is none. */
const USER_IN_ADDRESS = new RegExp(
  String.raw`(\b[a-z][a-z0-9+.-]{0,30}:\/\/)(?:[^\s/?#"'<>@]{1,300}@` +
    String.raw`|[^\s/?#"'<>@:]{0,100}:(?!\d{1,5}(?:[/?#\s"'<>]|$))[^\s"'<>@]{1,300}@)+`,
  'gi',
);
/** `jdbc:oracle:thin:user/password@host` */
const USER_OF_ORACLE = /(\bjdbc:oracle:\w{1,20}:)[^\s/@"'<>]{1,100}\/[^\s@"'<>]{1,300}@/gi;
/** `curl -u user:password` */
const USER_IN_COMMAND = /((?:^|\s)(?:-u|--user|--proxy-user)[\s=]+["']?)[^\s:"']{1,100}:[^\s"']{1,300}/g;

/** Schemes of the header `Authorization`. */
const SCHEME =
  String.raw`\b(?:[Bb]asic|[Bb]earer|[Nn]egotiate|NTLM|[Kk]erberos|[Dd]igest|[Aa]pi-?[Kk]ey|[Tt]oken|OAuth|Hawk|` +
  String.raw`H?MAC|JWT|D?PoP|GoogleLogin|Shared-?Key(?:Lite)?|AWS4?(?:-[\w-]{3,40})?|GOOG4-[\w-]{3,40}|` +
  String.raw`SCRAM-[\w-]{3,20}|vapid)`;
/** `name="value", name=value`. A challenge begins with its realm and holds no secret. */
const PARAMETERS =
  String.raw`(?!realm\b)[\w-]{1,40}=(?:"[^"]*"?|[^\s,;"']+)` +
  String.raw`(?:,\s{0,20}[\w-]{1,40}=(?:"[^"]*"?|[^\s,;"']*))*`;
const WITH_PARAMETERS = new RegExp(String.raw`(${SCHEME})\s+${PARAMETERS}`, 'g');
/** `Bearer …`, unless a word of a sentence follows. */
const SPOKEN_AFTER_BEARER =
  'auth(?:entication|orization)?|challenges?|credentials?|headers?|is|prefix|realm|schemes?|tokens?';
const BEARER = new RegExp(String.raw`\bBearer\s+(?!(?:${SPOKEN_AFTER_BEARER})\b(?!-))[^\s"'<>,;]{6,}`, 'gi');
/** `Basic dXNlcjpwYXNz`, `token "…"`: another scheme, then neither a word nor an ID. */
const CREDENTIALS = new RegExp(
  String.raw`(${SCHEME}\s+[\\"'\x60]{0,9})(?!realm\b|urn:)(?=[\w.~+/:=-]*(?:[\d+/=]|[a-z][A-Z]{2}))[\w.~+/:=-]{8,}`,
  'g',
);

/** `Basic user:password`, as services of the platform sign in to each other. */
const BASIC_IN_CLEAR = /(\b[Bb]asic\s+["'\x60]?)[\w.@-]{1,100}:[^\s"'\x60<>,;]{4,300}/g;

/** `password "…"`: a quoted value right after its name. */
const SPOKEN = /\b((?:pass(?:words?|wd|phrase|code)|secret)\s{1,4}(\\*["'`]))(?:(?!\2).){1,300}(?=\2)/gi;

/** `{"name":"Authorization","value":"…"}`: name and value as separate properties, in either order. */
const NAME_BEFORE = /\b(?:name|key)[^\w{}]{2,12}([\w.-]+)[^\w{}]{1,30}$/i;
const NAME_BEHIND = /^[^\w{}]{1,30}(?:name|key)[^\w{}]{2,12}([\w.-]+)/i;

/** End of a name with a secret value, without separators and in lower case. */
const SECRET_NAME = new RegExp(
  '(?:pass(?:words?|wd|phrase|code)|(?:^|db|user|key|store)pass|pwd|secret|credentials?|token|jwt|authorization|' +
    'cookies?|sess(?:ion|(?:ion)?id)|^(?:connect)?sid|^sig|^xauth|^x(?:amz|goog|hub)signature|' +
    '(?:api|auth|access|account|private|secret|shared|signing|encryption|master|storage|license|client|service|' +
    'server|rsa|ssh|tls|ssl|aes|hmac|pgp|gpg)keys?|secretkeybase|connectionstring|bearer)$',
);
/** Names that also occur in sentences: one word after a colon is no secret then. */
const TALKED_ABOUT = /^(?:credentials?|token|jwt|cookies?|session|sid|bearer|authorization)$/;
/** Headers with several words as a value. */
const HEADER = /(?:authorization|cookies?)$/;

/** A name, as in `name=`, `"name": `, `\"name\":`, `name%3D`, and `--name value`. */
const NAME = new RegExp(
  String.raw`(?:(?<![\w.$-])|(?<=%[0-9a-f]{2}))(?:--[\w.-]{1,200}(?:\s{1,20}(?=[^\s-])|(?=[=:]))` +
    String.raw`|[\w.$-]{1,200}(?=\s{0,20}[:=]|%3[ad]|\\{0,8}["']\s{0,20}[:=]))` +
    String.raw`(?:\\{0,8}["'])?\s{0,20}(?:=>|:=|[:=]|%3[ad])?\s{0,20}[[({]{0,2}`,
  'giu',
);
const QUOTED = /(\\*)(["'])(?:(?!(?<!\\)\1\2)[\s\S])*(?:\1\2)?/y;
/** After a YAML block indicator, the value begins on the next line. */
const WORD = /(?:[|>][-+]?\s{1,20})?[^\s"',;&}\\]+/y;
/** All of `["…", "…"]` and `{"…": "…"}`. */
const REST_OF_LIST = /[^\]]+/y;
const REST_OF_OBJECT = /[^}]+/y;
const HEADER_VALUE = new RegExp(
  String.raw`(?:[\w-]{2,30}\s+(?=\S))?(?:${PARAMETERS}|[^\s"',;&}\\]+)(?:;\s{0,20}[\w.!-]{1,100}(?:=[^\s;,"'\\]*)?)*`,
  'y',
);
const ONE_WORD = /^[a-z]{1,15}[.!?]?$/i;

/** XML: `<password>…</password>`. */
const ELEMENT = /<([\w:.-]{1,100})((?:\s[^<>]{0,200})?)>([^<]+)/g;
/** `<property name="password">…` */
const NAME_IN_ELEMENT = /\s(?:name|key)=["']([^"'<>]{1,100})/;
/** `<name>password</name><value>…` */
const NAME_IN_ELEMENT_BEFORE = /<(?:name|key)>([^<>]{1,100})<\/(?:name|key)>\s{0,50}$/;

/** Masks the values of XML elements with a secret name. */
export function maskXmlElements(text: string, replacement = MASK): string {
  return text.replace(ELEMENT, (element: string, name: string, attributes: string, value: string, at: number) => {
    const before = name === 'value' ? NAME_IN_ELEMENT_BEFORE.exec(text.slice(Math.max(0, at - 200), at)) : null;
    const names = [name, NAME_IN_ELEMENT.exec(attributes)?.[1], before?.[1]];
    return names.some((one = '') => isSecretName(one)) ? element.slice(0, -value.length) + replacement : element;
  });
}

/** Masks tokens with a recognizable shape. */
export function maskIssuedTokens(text: string): string {
  return text.replace(JSON_WEB_TOKEN, maskWholeToken).replace(ISSUED, maskWholeToken);
}

function maskWholeToken(found: string): string {
  return WHOLE_TOKEN.test(found) ? MASK : found;
}

/** Passes over one text. Each can uncover one more secret, and a server must not keep us busy. */
const MOST_PASSES = 4;

/**
 * Masks everything that looks like a secret or is labeled as one.
 * A masked secret can uncover the label of the next, so masks again until nothing changes.
 */
export function maskSecretShapes(text: string): string {
  let masked = maskShapesOnce(text);
  for (let passes = 1, before = text; masked !== before && passes < MOST_PASSES; passes++) {
    before = masked;
    masked = maskShapesOnce(masked);
  }
  return masked;
}

function maskShapesOnce(text: string): string {
  return maskNamedSecrets(
    maskXmlElements(text)
      .replace(PRIVATE_KEY, MASK)
      .replace(USER_IN_ADDRESS, `$1${MASK}@`)
      .replace(USER_OF_ORACLE, `$1${MASK}@`)
      .replace(USER_IN_COMMAND, `$1${MASK}`)
      .replace(SPOKEN, `$1${MASK}`),
  )
    .replace(WITH_PARAMETERS, `$1 ${MASK}`)
    .replace(BEARER, `Bearer ${MASK}`)
    .replace(BASIC_IN_CLEAR, `$1${MASK}`)
    .replace(CREDENTIALS, `$1${MASK}`)
    .replace(JSON_WEB_TOKEN, MASK)
    .replace(ISSUED, MASK);
}

function maskNamedSecrets(text: string): string {
  const name = new RegExp(NAME);
  let masked = '';
  let reached = 0;
  for (let found = name.exec(text); found !== null; found = name.exec(text)) {
    const valueAt = name.lastIndex;
    const before = text.slice(Math.max(0, found.index - 150), found.index);
    const isSecret = isSecretName(found[0], before.slice(-20)) || isValueOfSecretName(found[0], before, text, valueAt);
    const value = isSecret ? secretValueAt(text, valueAt, found[0]) : '';
    if (value !== '') {
      masked += text.slice(reached, valueAt) + MASK;
      reached = valueAt + value.length;
      name.lastIndex = reached;
    }
  }
  return masked + text.slice(reached);
}

/** True for a value next to a property that holds its secret name. */
function isValueOfSecretName(written: string, before: string, text: string, valueAt: number): boolean {
  if (normalizedName(written) !== 'value') {
    return false;
  }
  const end = valueAt + secretValueAt(text, valueAt, written).length;
  const name = NAME_BEFORE.exec(before) ?? NAME_BEHIND.exec(text.slice(end, end + 150));
  return isSecretName(name?.[1] ?? '');
}

/** @param before Text before the name: the start of "API key", or of an ID such as `urn:li:dataHubAccessToken:x`. */
function isSecretName(written: string, before = ''): boolean {
  const name = normalizedName(written);
  return (
    (SECRET_NAME.test(name) && !/\burn:\w+:$/.test(before)) ||
    (/^keys?$/.test(name) && SECRET_NAME.test(normalizedName(before) + name))
  );
}

function normalizedName(written: string): string {
  return written
    .replace(/%3[ad]/gi, '')
    .replace(/[^a-zA-Z0-9]/g, '')
    .toLowerCase();
}

/** The value at that position; empty if a sentence goes on. */
function secretValueAt(text: string, at: number, name: string): string {
  if (text.startsWith(MASK, at)) {
    return MASK;
  }
  const rest = name.endsWith('[') ? REST_OF_LIST : name.endsWith('{') ? REST_OF_OBJECT : undefined;
  if (rest !== undefined) {
    return matchAtIndex(rest, text, at);
  }
  const quoted = matchAtIndex(QUOTED, text, at);
  if (quoted !== '') {
    return quoted;
  }
  const value = matchAtIndex(HEADER.test(normalizedName(name)) ? HEADER_VALUE : WORD, text, at);
  const isSentence = /:\s+$/.test(name) && TALKED_ABOUT.test(normalizedName(name)) && ONE_WORD.test(value);
  return isSentence ? '' : value;
}

function matchAtIndex(expression: RegExp, text: string, at: number): string {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? '';
}
