/** The gate of a change is asked again once there is a connection: meanwhile a user may have said no. */
import assert from 'node:assert/strict';
import dns from 'node:dns';
import { createServer } from 'node:net';
import { suite, test, type TestContext } from 'node:test';
import { systemNetwork } from '../../../../src/service/http/network.ts';
import type { TransportOptions } from '../../../../src/service/http/transport.ts';
import { ServiceFailure } from '../../../../src/service/failure/failure.ts';
import { SteppedClock } from '../../steppedClock.ts';
import { CREDENTIAL, failureOf, transportAt, type TransportRequest, CHANGE, GET } from '../clients.ts';
import { rawServer, status } from '../rawServer.ts';
import { listening } from '../wireServer.ts';

/** Open until a test closes it. */
class Gate {
  asked = 0;
  #isOpen = true;

  readonly ask = (): Promise<void> => {
    this.asked++;
    return this.#isOpen ? Promise.resolve() : Promise.reject(new ServiceFailure('notSent', 'Too late.'));
  };

  close(): void {
    this.#isOpen = false;
  }
}

/** A name server that waits for the test, so that connecting takes as long as it needs. */
function slowNames(context: TestContext): { readonly asked: Promise<void>; readonly answer: () => void } {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  context.mock.method(dns, 'lookup', (_name: string, _options: object, done: (...found: unknown[]) => void) => {
    asked.resolve();
    void held.promise.then(() => done(null, [{ address: '127.0.0.1', family: 4 }]));
  });
  context.after(() => held.resolve());
  return { asked: asked.promise, answer: held.resolve };
}

/** Sends a change while connecting takes its time. */
async function sendSlowly(
  context: TestContext,
  options: Partial<TransportOptions>,
  request: TransportRequest,
  meanwhile: () => void,
) {
  const server = await rawServer(context, (socket) => socket.write(status(200)));
  const names = slowNames(context);
  const work = transportAt(server.url.replace('127.0.0.1', 'datahub.example.test'), options).exchange(request);
  work.catch(() => undefined);
  await names.asked;
  meanwhile();
  names.answer();
  return { server, work };
}

suite('A change whose connection takes a while', () => {
  for (const [what, now, expected] of [
    ['signed out', undefined, 'signedOut'],
    ['signed in as another user', `${CREDENTIAL}x`, 'notSent'],
  ] as const) {
    test(`is not sent if the user ${what} meanwhile`, async (context) => {
      let credential: string | undefined = CREDENTIAL;
      const options = { readSecrets: () => Promise.resolve({ token: credential }) };
      const { server, work } = await sendSlowly(context, options, CHANGE, () => (credential = now));
      const { kind, mayHaveActed } = await failureOf(work);
      assert.deepEqual([kind, mayHaveActed, server.requests], [expected, false, []]);
    });
  }

  test('is not sent if its gate closes meanwhile, with the reason of the gate', async (context) => {
    const gate = new Gate();
    const { server, work } = await sendSlowly(context, {}, { ...CHANGE, mayStillSend: gate.ask }, () => gate.close());
    const { kind, message, mayHaveActed } = await failureOf(work);
    assert.deepEqual([kind, message, mayHaveActed], ['notSent', 'Too late.', false]);
    assert.deepEqual([gate.asked, server.requests], [2, []]);
  });

  test('is sent whole if nothing changed', async (context) => {
    const { server, work } = await sendSlowly(context, {}, CHANGE, () => undefined);
    assert.equal((await work).status, 200);
    assert.deepEqual(
      server.requests.map(({ body }) => body.toString('utf8')),
      [CHANGE.body],
    );
  });

  test('did nothing if its time ends before there is a connection', async (context) => {
    const clock = new SteppedClock();
    const options = { network: { ...systemNetwork, clock } };
    const { work } = await sendSlowly(context, options, CHANGE, () => clock.advance(30_000));
    const { kind, mayHaveActed } = await failureOf(work);
    assert.deepEqual([kind, mayHaveActed], ['timedOut', false]);
  });
});

test('A change over a connection that is kept open is asked about again as well', async (context) => {
  const server = await rawServer(context, (socket) => socket.write(status(200)));
  const transport = transportAt(server.url);
  await transport.exchange(GET);
  const gate = new Gate();
  await transport.exchange({ ...CHANGE, mayStillSend: gate.ask });
  assert.deepEqual([gate.asked, server.requests.length], [2, 2]);
});

test('A change that is answered before its end leaves is never completed, and leaves no timer behind', async (context) => {
  const received: string[] = [];
  const url = await earlyServer(context, (text) => received.push(text));
  const clock = new SteppedClock();
  const second = Promise.withResolvers<void>();
  let asked = 0;
  const mayStillSend = (): Promise<void> => (asked++ === 0 ? Promise.resolve() : second.promise);
  const transport = transportAt(url, { network: { ...systemNetwork, clock } });
  assert.equal((await transport.exchange({ ...CHANGE, mayStillSend })).status, 401);
  second.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(clock.waiting, 0);
  assert.ok(!received.join('').endsWith('}'), received.join(''));
});

/** Answers 401 as soon as it has read anything. */
async function earlyServer(context: TestContext, read: (text: string) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      read(bytes.toString('utf8'));
      socket.write(status(401));
    });
  });
  return `http://127.0.0.1:${await listening(context, server)}`;
}
