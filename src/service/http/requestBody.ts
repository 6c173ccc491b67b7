/** Bodies of requests: text that may be sent again for a read, a stream that can be read once for a change. */

/** The headers and options of `fetch` that belong to a body. */
interface RequestBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly init: { readonly body: string | ReadableStream<Uint8Array>; readonly duplex?: 'half' };
}

const CONTENT_TYPE = { 'Content-Type': 'application/json' };

export function repeatableBody(json: string): RequestBody {
  return { headers: CONTENT_TYPE, init: { body: json } };
}

/**
 * A body without a source: `fetch` must not send it again, whatever the answer (Fetch standard, "HTTP-network-or-cache fetch",
 * statuses 401 and 421). Its length is stated, or it would be sent in chunks, which gateways refuse.
 */
export function singleUseBody(json: string): RequestBody {
  const bytes = new TextEncoder().encode(json);
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      stream.enqueue(bytes);
      stream.close();
    },
  });
  return {
    headers: { ...CONTENT_TYPE, 'Content-Length': String(bytes.byteLength) },
    init: { body, duplex: 'half' },
  };
}
