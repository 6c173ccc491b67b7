/** A gateway in front of a service, such as an identity-aware proxy. */
import type { IncomingHttpHeaders } from 'node:http';
import { reply, wireServer } from '../../../unit/service/wireServer.ts';

/** The gateways of a suite, which it closes after each test. */
export class Front {
  readonly #closing: (() => void)[] = [];

  after(close: () => void): void {
    this.#closing.push(close);
  }

  close(): void {
    for (const close of this.#closing.splice(0)) {
      close();
    }
  }
}

/**
 * @param pass Returns what it lets through of a response. Undefined: it refuses the request.
 * @param authorization What it sends in place of the caller's.
 */
export function gateway(
  context: Parameters<typeof wireServer>[0],
  behind: string,
  pass: (exchange: { readonly body: string; readonly headers: IncomingHttpHeaders }) => string | undefined,
  authorization?: string,
): Promise<{ readonly url: string }> {
  return wireServer(context, async ({ method, path, headers, body }, response) => {
    const {
      host: _host,
      connection: _connection,
      'content-length': _length,
      ...sent
    } = headers as Record<string, string>;
    const answer = await fetch(behind + path, {
      method,
      headers: { ...sent, ...(authorization !== undefined && { authorization }) },
      ...(method !== 'GET' && { body }),
    });
    const text = pass({ body: await answer.text(), headers });
    return text === undefined ? reply(response, 403, 'Access denied by policy.') : reply(response, answer.status, text);
  });
}
