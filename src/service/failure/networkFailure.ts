/** Explains in plain words why no response came: name, route, port, TLS, proxy. */
import * as l10n from '@vscode/l10n';
import { ServiceFailure, type FailureKind, type ServerOperation } from './failure.ts';

/** How to recognize one reason, and what to tell the user. */
interface NetworkFailureReason {
  readonly signs: RegExp;
  readonly kind: FailureKind;
  /** @param code The name of the reason, as OpenSSL has it. */
  readonly explanation: (host: string, code: string) => string;
  readonly nextStepText: () => string;
  /** True if the request may have reached the server nevertheless. */
  readonly mayHaveActed?: true;
  readonly transient?: true;
}

/** Codes of OpenSSL, and of Node.js and Chromium for its errors. */
const TLS_CODE =
  /\b(?:ERR_(?:SSL|TLS|CERT|BAD_SSL)_\w+|EPROTO|\w*CERT_\w+|\w*CRL_\w+|UNABLE_TO_\w+|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED)/;

/** Error codes of Node.js (OpenSSL, libuv, undici) and of Chromium's network stack. The first match counts. */
const REASONS: readonly NetworkFailureReason[] = [
  {
    signs: /\bbad port\b|ERR_UNSAFE_PORT/,
    kind: 'unreachable',
    explanation: (host) => l10n.t("The port of {0} can't be used, so nothing was sent.", host),
    nextStepText: () =>
      l10n.t('Browsers and VS Code reserve it for another protocol. Let the server listen on another port.'),
  },
  {
    signs:
      /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|ERR_CERT_AUTHORITY_INVALID|CERT_UNTRUSTED/,
    kind: 'tls',
    explanation: (host) =>
      l10n.t("The certificate for {0} was issued by an authority this machine doesn't trust.", host),
    nextStepText: () =>
      l10n.t(
        "Add the authority's certificate to the operating system's trust store or to the file in NODE_EXTRA_CA_CERTS, then restart VS Code.",
      ),
  },
  {
    signs: /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_CERT_DATE_INVALID/,
    kind: 'tls',
    explanation: (host) => l10n.t("The certificate for {0} has expired or isn't valid yet.", host),
    nextStepText: () => l10n.t("Check this machine's clock, or ask a server administrator to renew the certificate."),
  },
  {
    signs: /ERR_TLS_CERT_ALTNAME_INVALID|ERR_CERT_COMMON_NAME_INVALID|HOSTNAME_MISMATCH/,
    kind: 'tls',
    explanation: (host) => l10n.t('The certificate for {0} was issued for a different name.', host),
    nextStepText: () => l10n.t('Use the name in the certificate, or ask a server administrator.'),
  },
  {
    signs: /CERT_REVOKED/,
    kind: 'tls',
    explanation: (host) => l10n.t('The certificate for {0} was revoked.', host),
    nextStepText: () => l10n.t('Ask a server administrator to renew the certificate.'),
  },
  {
    signs: /EAI_AGAIN/,
    kind: 'unreachable',
    explanation: (host) => l10n.t("Couldn't look up {0}.", host),
    nextStepText: () => l10n.t('Check your network and your VPN.'),
    transient: true,
  },
  {
    signs: /ENOTFOUND|EAI_NODATA|EAI_NONAME|ERR_NAME_NOT_RESOLVED/,
    kind: 'unreachable',
    explanation: (host) => l10n.t("Can't find {0}.", host),
    nextStepText: () => l10n.t('Check the spelling, your network and your VPN.'),
  },
  {
    signs: /connect (?:E(?:HOST|NET)UNREACH|ENETDOWN)|ERR_ADDRESS_UNREACHABLE|ERR_INTERNET_DISCONNECTED/,
    kind: 'unreachable',
    explanation: (host) => l10n.t('No network route to {0}.', host),
    nextStepText: () => l10n.t('Check your network and your VPN.'),
  },
  {
    signs: /ECONNREFUSED|ERR_CONNECTION_REFUSED/,
    kind: 'unreachable',
    explanation: (host) => l10n.t("Can't reach {0}.", host),
    nextStepText: () => l10n.t('Check that the server is running and that the address and port are correct.'),
  },
  {
    signs: /UND_ERR_CONNECT_TIMEOUT|connect ETIMEDOUT|ERR_CONNECTION_TIMED_OUT/,
    kind: 'timedOut',
    explanation: (host) => l10n.t('Timed out connecting to {0}.', host),
    nextStepText: () => l10n.t('Check the address, your network and your VPN.'),
  },
  {
    signs: /ERR_(?:PROXY|TUNNEL)|\bproxy\b/i,
    kind: 'unreachable',
    explanation: (host) => l10n.t('The proxy blocked the request to {0}.', host),
    nextStepText: () => l10n.t('Check the http.proxy setting and your proxy credentials.'),
  },
  {
    // Bytes of plain HTTP, read as a record of TLS.
    signs:
      /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|wrong version number|packet length too long|ERR_SSL_PROTOCOL_ERROR/,
    kind: 'tls',
    explanation: (host) => l10n.t("Couldn't establish a secure connection to {0}.", host),
    nextStepText: () => l10n.t('If the server uses plain HTTP on this port, start the address with http://.'),
    mayHaveActed: true,
  },
  {
    signs:
      /CERTIFICATE_REQUIRED|CLIENT_AUTH_(?:CERT|SIGNATURE)|ALERT_(?:BAD|NO)_CERTIFICATE|ALERT_CERTIFICATE_(?:UNKNOWN|REVOKED|EXPIRED)/,
    kind: 'tls',
    explanation: (host) => l10n.t('{0} requires a client certificate, and none can be sent.', host),
    nextStepText: () => l10n.t('Use an address that requires none.'),
    mayHaveActed: true,
  },
  {
    signs: TLS_CODE,
    kind: 'tls',
    explanation: (host, code) => l10n.t("Couldn't establish a secure connection to {0} ({1}).", host, code),
    nextStepText: () => l10n.t('Ask a server administrator.'),
    // Usually a failed handshake, but an established connection may also break like this.
    mayHaveActed: true,
  },
  {
    signs: /UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW|ERR_RESPONSE_HEADERS_TOO_BIG/,
    kind: 'tooLarge',
    explanation: (host) => l10n.t('The response headers from {0} are too large.', host),
    nextStepText: () => l10n.t("Check that the address is the service's own."),
    mayHaveActed: true,
  },
  {
    signs: /HPE_|does not match the HTTP|ERR_INVALID_HTTP_RESPONSE/,
    kind: 'unexpectedAnswer',
    explanation: (host) => l10n.t("{0} didn't respond with HTTP.", host),
    nextStepText: () => l10n.t('Check the port. If the server uses TLS on it, start the address with https://.'),
    mayHaveActed: true,
  },
];

/** An established connection that broke. The request may have reached the server, whatever else is known. */
const BROKEN_LATER = /\b(?:read|write) E[A-Z]|ECONNRESET|EPIPE/;

/**
 * @param host Host and port, as the user entered them.
 * @param remote The remote machine that the window shows, while the extension runs on the user's.
 */
export function networkFailure(
  thrown: unknown,
  host: string,
  operation: ServerOperation,
  remote?: string,
): ServiceFailure {
  const allSigns = errorSignsOf(thrown);
  const proxy = proxyIn(allSigns, host);
  if (proxy !== undefined) {
    return new ServiceFailure('unreachable', l10n.t("Can't reach the proxy at {0}.", proxy), {
      operation: operation.name,
      transient: allSigns.includes('EAI_AGAIN'),
      next: l10n.t('Check the http.proxy setting, your network and your VPN.'),
    });
  }
  // Without the host name, or a server called "proxy" would look like one.
  const signs = allSigns.replaceAll(hostnameOf(host), '');
  const reason = REASONS.find((one) => one.signs.test(signs));
  if (remote !== undefined && (reason?.kind === 'unreachable' || reason?.kind === 'timedOut')) {
    return new ServiceFailure(
      reason.kind,
      l10n.t("Can't reach {0} from this computer. The extension runs here, not on {1}.", host, remote),
      {
        operation: operation.name,
        next: l10n.t('Run the extension on the remote machine, or forward the port.'),
        transient: reason.transient,
        mayBeReachedFromRemote: true,
      },
    );
  }
  if (reason !== undefined) {
    return new ServiceFailure(reason.kind, reason.explanation(host, TLS_CODE.exec(signs)?.[0] ?? ''), {
      operation: operation.name,
      next: reason.nextStepText(),
      mayHaveActed: reason.mayHaveActed ?? (BROKEN_LATER.test(signs) ? true : undefined),
      transient: reason.transient,
    });
  }
  return new ServiceFailure('unreachable', l10n.t('{0} closed the connection unexpectedly.', host), {
    operation: operation.name,
    mayHaveActed: true,
    transient: true,
    next: l10n.t('Try again. If it keeps happening, check the server or its proxy.'),
  });
}

/** Names and addresses that a connection was tried to, in the messages of libuv and undici. */
const TRIED =
  /\b(?:connect E[A-Z]+ ([\w.:]+):(\d+)|getaddrinfo E\w+ ([\w.-]+)|attempted address(?:es)?: ([\w.-]+):(\d+))/;

/** An IP address. Names are looked up, so their addresses aren't known here. */
const LITERAL = /^[\d.]+$|:/;

/** The proxy that couldn't be reached: an address other than the server's. */
function proxyIn(signs: string, host: string): string | undefined {
  const [, address, addressPort, lookedUp, name = lookedUp, namePort] = TRIED.exec(signs) ?? [];
  const port = addressPort ?? namePort;
  const hostname = hostnameOf(host);
  const isElsewhere =
    (name !== undefined && name.toLowerCase() !== hostname) ||
    (address !== undefined && LITERAL.test(hostname) && address !== hostname) ||
    (port !== undefined && !portsOf(host).includes(port));
  const shown = address?.includes(':') === true ? `[${address}]` : (address ?? name);
  return isElsewhere ? [shown, port].filter((part) => part !== undefined).join(':') : undefined;
}

function hostnameOf(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
}

/** Without a port, `URL` has left out that of the scheme. */
function portsOf(host: string): readonly string[] {
  const port = /:(\d+)$/.exec(host)?.[1];
  return port === undefined ? ['443', '80'] : [port];
}

/** Collects codes and messages from the chain of causes: for matching, never shown whole. */
function errorSignsOf(thrown: unknown): string {
  const signs: string[] = [];
  let pending: unknown[] = [thrown];
  for (let depth = 0; depth < 6; depth++) {
    const causes: unknown[] = [];
    for (const error of pending) {
      if (error instanceof Error) {
        signs.push('code' in error ? String(error.code) : '', error.message);
        causes.push(error.cause, ...(error instanceof AggregateError ? error.errors : []));
      }
    }
    pending = causes;
  }
  return signs.join(' ');
}
