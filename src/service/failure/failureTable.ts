/**
 * All failures of a request, how each is recognized, and what the user is told: reasons for a missing response, HTTP
 * statuses (PROTOCOL.md §3.3, §6.2), words that are known (§7.6) and GraphQL errors (§4.2). The text of a GraphQL 500
 * differs by version, so none is recognized by it.
 */
import * as l10n from '@vscode/l10n';
import type { FailureKind, SentCredential, ServerOperation } from './failure.ts';

/**
 * Who wrote a refusal: an operation of the service, its container, probably its container (the same words in another
 * form), nobody (an empty body), or a gateway in front of the service.
 */
export type Author = 'operation' | 'container' | 'likelyContainer' | 'nobody' | 'gateway';

/** A failed request, as the rows match it. */
export interface FailedRequest {
  readonly operation: ServerOperation;
  /** Host and port, as the user entered them. */
  readonly host: string;
  /** Codes and messages of the error that came instead of a response, without the server's name. Never shown. */
  readonly signs?: string;
  /** The proxy that the error names. */
  readonly proxy?: string | undefined;
  /** The remote machine that the window shows, while the extension runs on the user's. */
  readonly remote?: string | undefined;
  /** Of the response; 0 without one. */
  readonly status: number;
  /** A GraphQL error. Its `type` says the same as the code, in words (PROTOCOL.md §4.2). */
  readonly graphql?: { readonly code?: unknown; readonly isAboutDocument: boolean };
  /** The server's words: masked, one line, shortened. */
  readonly said?: string | undefined;
  /** Where a redirect leads, which isn't followed: to https:// on the same host, or elsewhere. */
  readonly redirect?: 'toTls' | 'elsewhere';
  /** Who wrote a 401 or 403. */
  readonly author?: Author | undefined;
  readonly sent: SentCredential;
  readonly retryAfterMillis?: number | undefined;
}

/** How a failure is recognized, by one of the first three, `says` and `where`, and what it is. */
export interface FailureRow {
  /** Codes of Node.js (OpenSSL, libuv, undici) and of Chromium's network stack. */
  readonly signs?: RegExp;
  /** HTTP statuses. */
  readonly statuses?: readonly number[];
  /** `code` of a GraphQL error. */
  readonly codes?: readonly (number | string)[];
  /** Words of the server. */
  readonly says?: RegExp;
  /** A further condition. */
  readonly where?: (request: FailedRequest) => boolean;

  readonly kind: FailureKind;
  readonly sentence: (request: FailedRequest) => string;
  /** True if the sentence is followed by the server's words. */
  readonly quotes?: true;
  /** Replaces that of the kind. */
  readonly headline?: (request: FailedRequest) => string;
  readonly next?: (request: FailedRequest) => string;
  readonly mayHaveActed?: true;
  readonly transient?: true;
  readonly credentialEnded?: true;
  readonly isFromGateway?: true;
  readonly namesPrivilege?: true;
  /** True if nothing answers at that name and address here, where a remote machine may reach it. */
  readonly isNotReached?: true;
}

/** Codes of OpenSSL, and of Node.js and Chromium for its errors. */
const TLS_CODE =
  /\b(?:ERR_(?:SSL|TLS|CERT|BAD_SSL)_\w+|EPROTO|\w*CERT_\w+|\w*CRL_\w+|UNABLE_TO_\w+|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED)/;

const ANY = /^/;

const REJECTED_TOKEN = {
  kind: 'signedOut',
  sentence: () => l10n.t("Access token rejected. It may be expired, revoked, or another server's."),
  next: () => l10n.t('Sign in with another access token.'),
} satisfies FailureRow;

const REDIRECTED = {
  kind: 'redirected',
  sentence: ({ host }) => l10n.t("{0} redirected the request. For safety, tokens aren't sent to redirects.", host),
  mayHaveActed: true,
} satisfies FailureRow;

const REJECTED_REQUEST = {
  kind: 'badRequest',
  sentence: ({ operation, status }) => l10n.t('The server rejected "{0}" (HTTP {1}).', operation.name, status),
  quotes: true,
} satisfies FailureRow;

/** Only exact phrases are put in our words; others are quoted. Each has what it's about as its first group, if it says. */
const KNOWN_WORDS = [
  {
    says: /\bno such index \[[^[\]\s]+\]|\bindex_not_found_exception\b/,
    headline: () => l10n.t('Not found'),
    sentence: () => l10n.t('The server has no such index.'),
    next: () => l10n.t('Check the entity type and the aspect.'),
  },
  {
    says: /\bFailed to find entity with name (\S+) in EntityRegistry\b/,
    headline: () => l10n.t('Not found'),
    sentence: (entityType) => l10n.t('The server has no entity type "{0}".', entityType),
    next: () => l10n.t('Check the entity type and the aspect.'),
  },
  {
    says: /\bmethod \[[A-Z]+\], host \[.*?\], URI \[.*?\], status line \[HTTP\/[\d.]+ (\d{3})\b/,
    headline: (status) => l10n.t('Search cluster error ({0})', status),
    sentence: (status) => l10n.t("The server's search cluster reported an error (HTTP {0}).", status),
    next: () => l10n.t('Ask a server administrator. See the server log for details.'),
  },
] satisfies readonly {
  readonly says: RegExp;
  readonly headline: (about: string) => string;
  readonly sentence: (about: string) => string;
  readonly next: () => string;
}[];

/** The rows of a status: those whose words are known say it in ours. */
function withKnownWords(all: FailureRow): readonly FailureRow[] {
  const { quotes: _, ...row } = all;
  const known = KNOWN_WORDS.map(({ says, headline, sentence, next }): FailureRow => {
    const about = ({ said = '' }: FailedRequest): string => says.exec(said)?.[1] ?? '';
    return Object.assign({}, row, {
      says,
      headline: (request: FailedRequest) => headline(about(request)),
      sentence: (request: FailedRequest) => sentence(about(request)),
      next,
    });
  });
  return [...known, all];
}

/** The first row that matches counts. */
export const FAILURES: readonly FailureRow[] = [
  // No response.
  {
    signs: ANY,
    where: ({ proxy }) => proxy !== undefined,
    kind: 'unreachable',
    sentence: ({ proxy = '' }) => l10n.t("Can't reach the proxy at {0}.", proxy),
    next: () => l10n.t('Check the http.proxy setting, your network and your VPN.'),
  },
  {
    signs: /\bbad port\b|ERR_UNSAFE_PORT/,
    kind: 'unreachable',
    sentence: ({ host }) => l10n.t("The port of {0} can't be used, so nothing was sent.", host),
    next: () =>
      l10n.t('Browsers and VS Code reserve it for another protocol. Configure the server to listen on another port.'),
  },
  {
    signs:
      /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|ERR_CERT_AUTHORITY_INVALID|CERT_UNTRUSTED/,
    kind: 'tls',
    sentence: ({ host }) =>
      l10n.t("The certificate for {0} was issued by an authority this machine doesn't trust.", host),
    next: () =>
      l10n.t(
        "Add the authority's certificate to the operating system's trust store or to the file in NODE_EXTRA_CA_CERTS, then restart VS Code.",
      ),
  },
  {
    signs: /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_CERT_DATE_INVALID/,
    kind: 'tls',
    sentence: ({ host }) => l10n.t("The certificate for {0} has expired or isn't valid yet.", host),
    next: () => l10n.t("Check this machine's clock, or ask a server administrator to renew the certificate."),
  },
  {
    signs: /ERR_TLS_CERT_ALTNAME_INVALID|ERR_CERT_COMMON_NAME_INVALID|HOSTNAME_MISMATCH/,
    kind: 'tls',
    sentence: ({ host }) => l10n.t('The certificate for {0} was issued for a different name.', host),
    next: () => l10n.t('Use the name in the certificate, or ask a server administrator.'),
  },
  {
    signs: /CERT_REVOKED/,
    kind: 'tls',
    sentence: ({ host }) => l10n.t('The certificate for {0} was revoked.', host),
    next: () => l10n.t('Ask a server administrator.'),
  },
  {
    signs:
      /ENOTFOUND|EAI_(?:AGAIN|NODATA|NONAME)|connect E(?:NET|HOSTUNREACH)|ERR_(?:NAME_NOT_RESOLVED|ADDRESS_UNREACHABLE|INTERNET_DISCONNECTED)/,
    kind: 'unreachable',
    sentence: ({ host }) => l10n.t("Can't find {0}.", host),
    next: () => l10n.t('Check the address, your network and your VPN.'),
    isNotReached: true,
  },
  {
    signs: /ECONNREFUSED|ERR_CONNECTION_REFUSED/,
    kind: 'unreachable',
    sentence: ({ host }) => l10n.t("Can't reach {0}.", host),
    next: () => l10n.t('Check that the server is running and that the address and port are correct.'),
    isNotReached: true,
  },
  {
    signs: /UND_ERR_CONNECT_TIMEOUT|connect ETIMEDOUT|ERR_CONNECTION_TIMED_OUT/,
    kind: 'timedOut',
    sentence: ({ host }) => l10n.t('Timed out connecting to {0}.', host),
    next: () => l10n.t('Check the address, your network and your VPN.'),
    isNotReached: true,
  },
  {
    signs: /ERR_(?:PROXY|TUNNEL)|\bproxy\b/i,
    kind: 'unreachable',
    sentence: ({ host }) => l10n.t('The proxy blocked the request to {0}.', host),
    next: () => l10n.t('Check the http.proxy setting and your proxy credentials.'),
  },
  {
    // Bytes of plain HTTP, read as a record of TLS.
    signs:
      /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|wrong version number|packet length too long|ERR_SSL_PROTOCOL_ERROR/,
    kind: 'tls',
    sentence: noSecureConnection,
    next: () => l10n.t('If the server uses plain HTTP on this port, start the address with http://.'),
    mayHaveActed: true,
  },
  {
    signs:
      /CERTIFICATE_REQUIRED|CLIENT_AUTH_(?:CERT|SIGNATURE)|ALERT_(?:BAD|NO)_CERTIFICATE|ALERT_CERTIFICATE_(?:UNKNOWN|REVOKED|EXPIRED)/,
    kind: 'tls',
    sentence: ({ host }) => l10n.t('{0} requires a client certificate, and none can be sent.', host),
    next: () => l10n.t("Use an address that doesn't require one."),
    mayHaveActed: true,
  },
  {
    signs: TLS_CODE,
    kind: 'tls',
    sentence: noSecureConnection,
    next: () => l10n.t('Ask a server administrator.'),
    // Usually a failed handshake, but an established connection may also break like this.
    mayHaveActed: true,
  },
  {
    signs: /UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW|ERR_RESPONSE_HEADERS_TOO_BIG/,
    kind: 'tooLarge',
    sentence: ({ host }) => l10n.t('The response headers from {0} are too large.', host),
    next: () => l10n.t("Check that the address is the service's own, not that of a proxy or sign-in page."),
    mayHaveActed: true,
  },
  {
    signs: /HPE_|does not match the HTTP|ERR_INVALID_HTTP_RESPONSE/,
    kind: 'unexpectedAnswer',
    sentence: ({ host }) => l10n.t("{0} didn't respond with HTTP.", host),
    next: () => l10n.t('Check the port. If the server uses TLS on it, start the address with https://.'),
    mayHaveActed: true,
  },
  {
    signs: ANY,
    kind: 'unreachable',
    sentence: ({ host }) => l10n.t('{0} closed the connection unexpectedly.', host),
    next: () => l10n.t('Try again. If it keeps happening, check the server or its proxy.'),
    mayHaveActed: true,
    transient: true,
  },

  // Redirects. The server may have acted before.
  {
    ...REDIRECTED,
    where: ({ redirect }) => redirect === 'toTls',
    next: () => l10n.t('Check the port. If the server uses TLS on it, start the address with https://.'),
  },
  {
    ...REDIRECTED,
    where: ({ redirect }) => redirect === 'elsewhere',
    next: gatewayAdvice,
    isFromGateway: true,
  },

  // The schema rejects the document. Nothing was executed.
  {
    where: ({ graphql }) => graphql?.isAboutDocument === true,
    kind: 'invalidDocument',
    sentence: ({ operation }) => l10n.t('The server doesn\'t support "{0}".', operation.name),
    next: () => l10n.t('Test the connection to detect what this server supports.'),
  },

  // 403: a privilege is named only where the service itself refused.
  {
    statuses: [403],
    where: ({ author }) => author !== 'operation',
    kind: 'refused',
    sentence: ({ status }) =>
      l10n.t('The server, or something in front of it, refused the request (HTTP {0}).', status),
    quotes: true,
    next: gatewayAdvice,
    isFromGateway: true,
  },
  {
    statuses: [403],
    codes: [403, 'FORBIDDEN'],
    where: ({ operation }) => operation.privilege !== undefined,
    kind: 'refused',
    sentence: ({ operation }) => l10n.t("The server refused: you aren't allowed to {0}.", operation.actionPhrase()),
    // The privilege is shown beside it, and says more than a number.
    headline: () => l10n.t('Not allowed'),
    next: ({ operation: { privilege = '' } }) =>
      l10n.t('Ask a server administrator for the privilege "{0}".', privilege),
    namesPrivilege: true,
  },
  {
    statuses: [403],
    codes: [403, 'FORBIDDEN'],
    kind: 'refused',
    sentence: ({ operation }) => l10n.t("The server refused: you aren't allowed to {0}.", operation.actionPhrase()),
    next: () => l10n.t('Ask a server administrator.'),
  },

  // 401.
  {
    statuses: [401],
    codes: [401, 'UNAUTHENTICATED'],
    where: ({ sent }) => sent === 'expired',
    kind: 'signedOut',
    sentence: () => l10n.t('The access token has expired.'),
    headline: () => l10n.t('Token expired'),
    next: () => l10n.t('Sign in with another access token.'),
  },
  {
    statuses: [401],
    codes: [401, 'UNAUTHENTICATED'],
    where: ({ sent }) => sent === false,
    kind: 'signedOut',
    sentence: () => l10n.t('This server requires an access token.'),
    headline: () => l10n.t('Sign-in required (401)'),
    next: () => l10n.t('Sign in to continue.'),
  },
  {
    statuses: [401],
    where: ({ author, said }) => author === 'gateway' && said !== undefined,
    kind: 'signedOut',
    sentence: REJECTED_TOKEN.sentence,
    quotes: true,
    next: () =>
      l10n.t(
        'Something in front of the server may have answered. Sign in with another access token, or add the headers that it asks for under "Additional headers" of the connection.',
      ),
  },
  {
    // A front end without its own authentication takes only session cookies: it answers Bearer alone with an empty
    // 401 (PROTOCOL.md §3.2).
    ...REJECTED_TOKEN,
    statuses: [401],
    where: ({ author, sent }) => author === 'nobody' && sent !== 'accepted',
    next: () =>
      l10n.t(
        "Sign in with another access token. If this one is valid, the web front end may not accept access tokens: use the service's own address.",
      ),
  },
  {
    ...REJECTED_TOKEN,
    statuses: [401],
    where: ({ author, sent }) => author === 'container' && sent === 'accepted',
    credentialEnded: true,
  },
  { ...REJECTED_TOKEN, statuses: [401], codes: [401, 'UNAUTHENTICATED'] },

  // Other statuses.
  ...withKnownWords({
    statuses: [404, 405, 410],
    kind: 'notFound',
    sentence: ({ operation }) => l10n.t('The server doesn\'t support "{0}".', operation.name),
    next: () => l10n.t('Check the host, the port, and the path before /api/graphql.'),
  }),
  {
    statuses: [407],
    kind: 'unreachable',
    sentence: () => l10n.t('The proxy requires credentials.'),
    headline: () => l10n.t('Proxy sign-in required (407)'),
    next: () => l10n.t('Check the http.proxy setting and your proxy credentials.'),
  },
  {
    statuses: [429],
    codes: [429],
    kind: 'throttled',
    sentence: () => l10n.t('Too many requests for this server.'),
    next: () => l10n.t('Try again in a moment.'),
    transient: true,
  },
  {
    statuses: [408, 421, 425, 502, 503, 504],
    kind: 'unavailable',
    sentence: ({ status }) => l10n.t("The server isn't ready (HTTP {0}).", status),
    next: () => l10n.t('Try again. If it keeps happening, check the server or its proxy.'),
    // A proxy also says these after passing a request on, and the service says 503 for a result it can't write.
    mayHaveActed: true,
    transient: true,
  },
  ...withKnownWords({ ...REJECTED_REQUEST, statuses: [...range(400, 431), 451] }),
  ...withKnownWords({
    // No standard defines these. Proxies use some after passing a request on: 499 for a caller that seems gone,
    // 460 for a timeout.
    ...REJECTED_REQUEST,
    statuses: range(432, 499),
    mayHaveActed: true,
  }),
  ...withKnownWords({
    // Also statuses that no standard has.
    statuses: range(500, 999),
    kind: 'server',
    sentence: ({ operation, status }) => l10n.t('The server failed on "{0}" (HTTP {1}).', operation.name, status),
    quotes: true,
    next: () => l10n.t('Try again. If it keeps happening, check the server log.'),
    mayHaveActed: true,
  }),

  // Other errors of GraphQL.
  {
    codes: [400, 409, 'BAD_USER_INPUT'],
    kind: 'badRequest',
    sentence: ({ operation }) => l10n.t('The server rejected "{0}".', operation.name),
    quotes: true,
  },
  {
    codes: [404],
    kind: 'notFound',
    sentence: ({ operation }) => l10n.t('"{0}": not found on the server.', operation.name),
    quotes: true,
  },
  {
    codes: [503, 504],
    kind: 'unavailable',
    sentence: ({ operation }) => l10n.t('The server failed on "{0}".', operation.name),
    quotes: true,
    next: () => l10n.t('Try again in a moment.'),
    mayHaveActed: true,
    transient: true,
  },
  {
    where: ({ graphql }) => graphql !== undefined,
    kind: 'server',
    sentence: ({ operation }) => l10n.t('The server failed on "{0}".', operation.name),
    quotes: true,
    next: () => l10n.t('Try again. If it keeps happening, check the server log.'),
    mayHaveActed: true,
  },
];

function noSecureConnection({ host, signs = '' }: FailedRequest): string {
  return l10n.t("Couldn't establish a secure connection to {0} ({1}).", host, TLS_CODE.exec(signs)?.[0] ?? 'TLS');
}

function gatewayAdvice(): string {
  return l10n.t(
    'Check the address, the network and the VPN. If a gateway or sign-in page is in front of the server, add the headers that it asks for under "Additional headers" of the connection.',
  );
}

/** The statuses from the first to the last. */
function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
}
