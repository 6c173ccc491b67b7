import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { GifReader } from 'omggif';
import { root } from '../../../../tools/paths.ts';
import { animatedGif, type Frame } from '../../../../tools/screenshots/gif.ts';

const [WIDTH, HEIGHT] = [4, 3];

const anyFrame = fc.record({
  picture: fc
    .array(fc.constantFrom(0x1f_1f_1f, 0xff_00_00, 0x00_ff_00, 0x00_00_ff, 0xff_ff_ff), {
      minLength: WIDTH * HEIGHT,
      maxLength: WIDTH * HEIGHT,
    })
    .map((pixels) => ({ width: WIDTH, height: HEIGHT, pixels: Uint32Array.from(pixels) })),
  millis: fc.integer({ min: 1, max: 50 }).map((hundredths) => hundredths * 10),
});

/** The pictures and times that a viewer shows. */
function shown(file: Buffer): Frame[] {
  const gif = new GifReader(file);
  // A viewer draws each frame over the one before.
  const canvas = Buffer.alloc(gif.width * gif.height * 4);
  return Array.from({ length: gif.numFrames() }, (_, at) => {
    gif.decodeAndBlitFrameRGBA(at, canvas);
    const pixels = Uint32Array.from({ length: gif.width * gif.height }, (_pixel, one) => canvas.readUIntBE(one * 4, 3));
    return { picture: { width: gif.width, height: gif.height, pixels }, millis: gif.frameInfo(at).delay * 10 };
  });
}

/** The picture shown in each hundredth of a second. */
function timeline(frames: readonly Frame[]): string[] {
  return frames.flatMap(({ picture, millis }) => Array.from({ length: millis / 10 }, () => picture.pixels.join()));
}

suite('A moving picture', () => {
  test('is shown as it was filmed, each frame for its time, and equal ones as one', () => {
    fc.assert(
      fc.property(fc.array(anyFrame, { minLength: 1, maxLength: 6 }), (frames) => {
        const seen = shown(animatedGif(frames));
        assert.deepEqual(timeline(seen), timeline(frames));
        for (const [at, { picture }] of seen.slice(1).entries())
          assert.notDeepEqual(picture, seen[at]?.picture, 'not two frames for one picture');
      }),
    );
  });

  test('begins again after its end', () => {
    const gif = animatedGif([
      { picture: { width: 1, height: 1, pixels: Uint32Array.of(0) }, millis: 10 },
      { picture: { width: 1, height: 1, pixels: Uint32Array.of(1) }, millis: 10 },
    ]);
    assert.equal(new GifReader(gif).loopCount(), 0, 'no end');
  });

  test('needs a frame', () => {
    assert.throws(() => animatedGif([]), /needs a frame/);
  });
});

suite('The moving picture of the README', () => {
  const file = readFileSync(join(root, 'media', 'story.gif'));
  const gif = new GifReader(file);
  const frames = Array.from({ length: gif.numFrames() }, (_, at) => gif.frameInfo(at));
  const millis = frames.map(({ delay }) => delay * 10);

  test('loads quickly, and is as sharp as a page is wide', () => {
    assert.ok(file.length <= 1_500_000, `${file.length} bytes`);
    assert.ok(gif.width >= 800, `${gif.width} px`);
  });

  test('takes 12 to 25 seconds, and its end stays for a while', () => {
    const seconds = millis.reduce((sum, one) => sum + one, 0) / 1000;
    assert.ok(seconds >= 12 && seconds <= 25, `${seconds} s`);
    assert.ok((millis.at(-1) ?? 0) >= 2500);
  });

  test('is calm: at most three large changes in any second', () => {
    const large = frames.map(({ width, height }) => width * height > (gif.width * gif.height) / 4);
    for (const start of millis.keys()) {
      let [passed, changes] = [0, 0];
      for (let at = start; at < millis.length && passed < 1000; at += 1) {
        passed += millis[at] ?? 0;
        if (large[at] === true) changes += 1;
      }
      assert.ok(changes <= 3, `${changes} large changes in a second, from frame ${start}`);
    }
  });
});
