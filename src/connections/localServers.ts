/** Servers that run on this machine, so that trying one takes no typing. */
import { askProduct } from '../service/server/product.ts';
import type { ServerFacts } from '../service/server/product.ts';
import { Transport } from '../service/http/transport.ts';

/** Where the service itself and its front end listen unless told otherwise. */
const USUAL_PORTS = [8080, 9002];
const PATIENCE_MILLIS = 1_500;

export interface LocalServer {
  readonly baseUrl: string;
  readonly facts: ServerFacts;
}

/** Asks the usual loopback ports who they are, without any credential; those that say so are told, as they answer. */
export async function findLocalServers(found: (server: LocalServer) => void): Promise<void> {
  await Promise.all(
    USUAL_PORTS.map(async (port) => {
      const baseUrl = `http://localhost:${port}`;
      const transport = new Transport({
        baseUrl,
        credential: () => Promise.resolve(undefined),
        timeoutMillis: () => PATIENCE_MILLIS,
      });
      const facts = await askProduct(transport).catch(() => undefined);
      if (facts?.product !== undefined) {
        found({ baseUrl, facts });
      }
    }),
  );
}
