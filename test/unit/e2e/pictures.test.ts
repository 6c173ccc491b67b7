import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { compare, MOST_DIFFERING } from '../../e2e/harness/pictures.ts';
import type { Picture } from '../../../tools/screenshots/png.ts';

const [WIDTH, HEIGHT] = [80, 40];

/** A field on a dark page: `line` is the colour of its border, `fill` that of everything else. */
function field(line: number, fill: number): Picture {
  const pixels = Uint32Array.from({ length: WIDTH * HEIGHT }, (_, index) => {
    const [x, y] = [index % WIDTH, Math.floor(index / WIDTH)];
    const isInside = x > 10 && x < 70 && y > 10 && y < 30;
    const isWithinLine = x > 11 && x < 69 && y > 11 && y < 29;
    return isInside && !isWithinLine ? line : fill;
  });
  return { width: WIDTH, height: HEIGHT, pixels };
}

suite('Two pictures', () => {
  test('are the same if colours are rounded differently', () => {
    assert.equal(compare(field(0x7e7e7e, 0x1f1f1f), field(0x7f7d7e, 0x202020)).differing, 0);
  });

  test('differ if a line is missing, and the difference is marked', () => {
    const { differing, shown } = compare(field(0x7e7e7e, 0x1f1f1f), field(0x1f1f1f, 0x1f1f1f));
    assert.ok(differing > MOST_DIFFERING, `${differing} pixels`);
    assert.equal([...shown.pixels].filter((colour) => colour === 0xff0000).length, differing);
  });

  test('differ if a line is much fainter', () => {
    assert.ok(compare(field(0x7e7e7e, 0x1f1f1f), field(0x3c3c3c, 0x1f1f1f)).differing > MOST_DIFFERING);
  });
});
