import { ClusterError, UnreachableError } from './searchCluster.ts';

/** Sends requests to a search cluster over HTTP. */
export class OpenSearchClient {
  readonly url: string;

  /** @param url address of any node */
  constructor(url: string) {
    this.url = url.replace(/\/+$/, '');
  }

  /**
   * @param body JSON. An array is sent as one item per line, for `_bulk`.
   * @throws ClusterError if the cluster refuses or can't be reached
   */
  async send(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await this.#fetch(method, path, body);
    const answer = parsed(await response.text());
    if (!response.ok) throw new ClusterError(response.status, reasonIn(answer));
    return answer;
  }

  /** Like `send`, but null if the cluster answers 404. */
  async find(method: string, path: string): Promise<unknown> {
    try {
      return await this.send(method, path);
    } catch (error) {
      if (error instanceof ClusterError && error.status === 404) return null;
      throw error;
    }
  }

  async #fetch(method: string, path: string, body: unknown): Promise<Response> {
    try {
      return await fetch(this.url + path, {
        method,
        ...(body === undefined ? {} : { body: bodyText(body), headers: { 'content-type': contentType(body) } }),
      });
    } catch (error) {
      throw new UnreachableError(error);
    }
  }
}

function bodyText(body: unknown): string {
  return Array.isArray(body) ? body.map((line) => `${JSON.stringify(line)}\n`).join('') : JSON.stringify(body);
}

function contentType(body: unknown): string {
  return Array.isArray(body) ? 'application/x-ndjson' : 'application/json';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { error: { type: 'parse_exception', reason: text.slice(0, 200) } };
  }
}

function reasonIn(answer: unknown): string {
  const { error } = answer as { readonly error?: string | { readonly type?: string; readonly reason?: string } };
  if (typeof error === 'object') return `[type=${String(error.type)}, reason=${String(error.reason)}]`;
  return `[type=exception, reason=${String(error)}]`;
}
