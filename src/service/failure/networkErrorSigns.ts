/** Reads the error that came instead of a response, for failureTable.ts to explain. */
import type { ServerOperation, ServiceFailure } from './failure.ts';
import { explainFailure } from './explainFailure.ts';

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
  const signs = errorSignsOf(thrown);
  return explainFailure({
    operation,
    host,
    status: 0,
    sent: false,
    remote,
    proxy: proxyIn(signs, host),
    // Without the host name, or a server called "proxy" would look like one.
    signs: signs.replaceAll(hostnameOf(host), ''),
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
