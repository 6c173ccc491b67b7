import type { IncomingHttpHeaders } from 'node:http';
import type { Call } from './http.ts';

export interface LoggedRequest {
  readonly server: 'service' | 'front';
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Null until it is answered. Stays null if a fault cuts the connection. */
  status: number | null;
}

const capacity = 2000;

/** The last requests as they arrived at the server. */
export class RequestLog {
  readonly #entries: LoggedRequest[] = [];

  get entries(): readonly LoggedRequest[] {
    return this.#entries;
  }

  add(server: LoggedRequest['server'], call: Call): LoggedRequest {
    const query = call.query.toString();
    const path = query === '' ? call.path : `${call.path}?${query}`;
    const entry: LoggedRequest = {
      server,
      method: call.method,
      path,
      headers: call.headers,
      body: call.body,
      status: null,
    };
    this.#entries.push(entry);
    if (this.#entries.length > capacity) {
      this.#entries.shift();
    }
    return entry;
  }

  clear(): void {
    this.#entries.length = 0;
  }
}
