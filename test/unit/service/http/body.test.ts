import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { BodyTooLargeError, readResponseBody } from '../../../../src/service/http/transport.ts';

interface Sent {
  readonly response: Response;
  /** True if the rest was not read. */
  readonly isCancelled: () => boolean;
}

/** A response that arrives in these pieces. */
function inPieces(...pieces: readonly Uint8Array[]): Sent {
  let isCancelled = false;
  let next = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const piece = pieces[next++];
        return piece === undefined ? controller.close() : controller.enqueue(piece);
      },
      cancel: () => {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { response: new Response(stream), isCancelled: () => isCancelled };
}

suite('The body of a response', () => {
  test('may split characters between its pieces, and end in the middle of one', async () => {
    const bytes = [...Buffer.from('größe 😀')].map((byte) => Uint8Array.of(byte));
    assert.equal(await readResponseBody(inPieces(...bytes).response, 100, () => undefined), 'größe 😀');
    assert.equal(
      await readResponseBody(inPieces(...bytes.slice(0, -1)).response, 100, () => undefined),
      'größe \uFFFD',
    );
  });

  test('reports its progress in bytes', async () => {
    const told: number[] = [];
    await readResponseBody(inPieces(new Uint8Array(3), new Uint8Array(4)).response, 7, (bytes) => told.push(bytes));
    assert.deepEqual(told, [3, 7]);
  });

  test('is abandoned at the piece that exceeds the limit', async () => {
    const { response, isCancelled } = inPieces(new Uint8Array(3), new Uint8Array(5), new Uint8Array(1));
    await assert.rejects(
      readResponseBody(response, 7, () => undefined),
      BodyTooLargeError,
    );
    assert.ok(isCancelled());
  });

  test('is empty if there is none', async () => {
    assert.equal(await readResponseBody(new Response(null, { status: 204 }), 7, () => undefined), '');
  });
});
