/** Tells apart, in plain words, why no answer came: name, route, port, TLS, proxy. */
import { ServiceFailure } from './failure.ts';
import type { Operation } from './failure.ts';
import { l10n } from './words.ts';

/** Error codes of Node.js (OpenSSL, libuv, undici) and, behind the slash, of Chromium's network stack. */
const UNKNOWN_AUTHORITY =
  /DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|ERR_CERT_AUTHORITY_INVALID/;
const EXPIRED = /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_CERT_DATE_INVALID/;
const OTHER_NAME = /ERR_TLS_CERT_ALTNAME_INVALID|ERR_CERT_COMMON_NAME_INVALID/;
const NO_TLS = /ERR_SSL_|EPROTO|ERR_TLS_|UNSUPPORTED_PROTOCOL|ERR_CERT_|CERT_[A-Z_]+/;
const UNKNOWN_NAME = /ENOTFOUND|EAI_AGAIN|EAI_NODATA|ERR_NAME_NOT_RESOLVED/;
const NO_ROUTE = /EHOSTUNREACH|ENETUNREACH|ENETDOWN|ERR_ADDRESS_UNREACHABLE|ERR_INTERNET_DISCONNECTED/;
const NOBODY_LISTENS = /ECONNREFUSED|ERR_CONNECTION_REFUSED/;
const CONNECT_TIMEOUT = /UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|ERR_CONNECTION_TIMED_OUT/;
const PROXY = /ERR_PROXY|ERR_TUNNEL|proxy/i;
const REDIRECT = /redirect/i;

/** @param host Host and port, as the person entered them. */
export function networkFailure(thrown: unknown, host: string, operation: Operation): ServiceFailure {
  const signs = signsOf(thrown);
  const at = { operation: operation.name };
  if (REDIRECT.test(signs)) {
    return redirected(host, operation);
  }
  if (UNKNOWN_AUTHORITY.test(signs)) {
    return new ServiceFailure('tls', l10n.t('The certificate of {0} is signed by an authority that this machine does not trust.', host), {
      ...at,
      next: l10n.t("Add the authority's certificate to the operating system's trusted ones, or name its file in NODE_EXTRA_CA_CERTS, and restart VS Code."),
    });
  }
  if (EXPIRED.test(signs)) {
    return new ServiceFailure('tls', l10n.t('The certificate of {0} is not valid today.', host), {
      ...at,
      next: l10n.t("Check this machine's clock, or ask whoever runs the server to renew the certificate."),
    });
  }
  if (OTHER_NAME.test(signs)) {
    return new ServiceFailure('tls', l10n.t('The certificate that {0} showed is made out to another name.', host), {
      ...at,
      next: l10n.t('Use the name that the certificate is made out to, or ask whoever runs the server.'),
    });
  }
  if (UNKNOWN_NAME.test(signs)) {
    return new ServiceFailure('unreachable', l10n.t('The name of {0} is not known here.', host), {
      ...at,
      next: l10n.t('Check the spelling, your network and your VPN.'),
    });
  }
  if (NO_ROUTE.test(signs)) {
    return new ServiceFailure('unreachable', l10n.t('There is no way from here to {0}.', host), { ...at, next: l10n.t('Check your network and your VPN.') });
  }
  if (NOBODY_LISTENS.test(signs)) {
    return new ServiceFailure('unreachable', l10n.t('Nothing answers at {0}.', host), {
      ...at,
      next: l10n.t('Check that the server is running and that address and port are right.'),
    });
  }
  if (CONNECT_TIMEOUT.test(signs)) {
    return new ServiceFailure('timedOut', l10n.t('{0} did not take the connection in time.', host), {
      ...at,
      next: l10n.t('Check the address, your network and your VPN.'),
    });
  }
  if (PROXY.test(signs)) {
    return new ServiceFailure('unreachable', l10n.t('The proxy did not let the request through to {0}.', host), {
      ...at,
      next: l10n.t('Check the setting http.proxy and the credentials of your proxy.'),
    });
  }
  if (NO_TLS.test(signs)) {
    return new ServiceFailure('tls', l10n.t('No secure connection to {0} could be made.', host), {
      ...at,
      next: l10n.t('If the server speaks plain HTTP on this port, its address starts with http://.'),
    });
  }
  return new ServiceFailure('unreachable', l10n.t('The connection to {0} was cut before the answer was complete.', host), {
    ...at,
    mayHaveActed: true,
    transient: true,
    next: l10n.t('Try again; if it stays so, look at the server or at the proxy in front of it.'),
  });
}

export function redirected(host: string, operation: Operation): ServiceFailure {
  return new ServiceFailure('redirected', l10n.t('{0} sends the request elsewhere, and a credential is never taken along.', host), {
    operation: operation.name,
    next: l10n.t('Enter the address that the service itself has; a log-in page or another host is in front of this one.'),
  });
}

/** All codes and messages in the chain of causes: for matching only, never shown. */
function signsOf(thrown: unknown): string {
  const signs: string[] = [];
  let pending: unknown[] = [thrown];
  for (let depth = 0; depth < 6 && pending.length > 0; depth++) {
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
