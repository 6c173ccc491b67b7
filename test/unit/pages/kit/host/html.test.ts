import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { build } from 'esbuild';
import { pageHtml, type WebviewPage } from '../../../../../src/pages/kit/host/html.ts';
import { PAGE_OPTIONS } from '../../../../../tools/package/bundles.ts';

const PAGE: WebviewPage = {
  nonce: 'q83vEjRWeJCrze8SNFZ4kA==',
  script: 'start();',
  style: 'p { color: red; }',
  title: 'Truncate Index',
  language: 'en',
};

suite("A page's HTML", () => {
  test('allows its own script and style by a nonce, and nothing else', () => {
    const html = pageHtml(PAGE);
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    assert.deepEqual(policy.split('; '), [
      "default-src 'none'",
      "script-src 'nonce-q83vEjRWeJCrze8SNFZ4kA=='",
      "style-src 'nonce-q83vEjRWeJCrze8SNFZ4kA=='",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    assert.match(html, /<script type="module" nonce="q83vEjRWeJCrze8SNFZ4kA==">start\(\);<\/script>/);
    assert.match(html, /<style nonce="q83vEjRWeJCrze8SNFZ4kA==">p \{ color: red; \}<\/style>/);
    assert.doesNotMatch(html, /\s(?:src|href|style|on\w+)=/);
  });

  for (const name of ['title', 'language'] as const) {
    test(`keeps markup in ${name} from becoming markup`, () => {
      const html = pageHtml({ ...PAGE, [name]: `"'><script>alert(1)</script><img src=x onerror=alert(1)>&` });
      assert.equal(html.match(/<script\b/g)?.length, 1);
      assert.doesNotMatch(html, /<img/);
    });
  }

  test('no built script or style ends its element', async () => {
    const { outputFiles } = await build({ ...PAGE_OPTIONS, write: false, minify: true, outdir: 'dist' });
    assert.equal(outputFiles.length, 4, 'a script and a style sheet for each page');
    const tags = outputFiles.flatMap(({ text }) => text.match(/<\/?(?:script|style)/gi) ?? []);
    assert.deepEqual(tags, []);
  });
});
