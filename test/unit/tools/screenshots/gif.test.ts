import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { GifReader } from 'omggif';
import { root } from '../../../../tools/paths.ts';

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
