/** Network stacks that fetch may use, and the requests that each of them repeats by itself. */

/** Node.js's own stack, and that of the browser which VS Code's window is. */
export type FetchStack = 'node' | 'chromium';

export interface RequestBody {
  readonly text: string;
  /** Can be read only once, which prevents repetitions. */
  readonly isStream: boolean;
}

/** VS Code passes a request to the workbench's stack unless it asks to see redirects. */
export function stackFor({ redirect }: RequestInit, workbench: FetchStack): FetchStack {
  return redirect === 'manual' ? 'node' : workbench;
}

/** @throws TypeError if the stack takes no stream over this protocol; nothing is sent then */
export async function readBody(
  body: BodyInit | null | undefined,
  stack: FetchStack,
  protocol: 'HTTP/1.1' | 'HTTP/2',
): Promise<RequestBody> {
  if (!(body instanceof ReadableStream)) {
    return { text: typeof body === 'string' ? body : '', isStream: false };
  }
  if (stack === 'chromium' && protocol === 'HTTP/1.1') {
    throw new TypeError('Failed to fetch', { cause: new Error('net::ERR_H2_OR_QUIC_REQUIRED') });
  }
  return { text: await new Response(body).text(), isStream: true };
}

/** @param ended status of the response, or 'cut' if the connection was cut before there was one */
export function mayRepeat(stack: FetchStack, { isStream }: RequestBody, ended: number | 'cut'): boolean {
  const repeated: readonly (number | 'cut')[] = stack === 'node' ? [421] : ['cut', 408, 421];
  return !isStream && repeated.includes(ended);
}
