import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pageHtml, type WebviewPageFiles } from '../../../../../src/pages/kit/host/html.ts';

const PAGE: WebviewPageFiles = {
  cspSource: "'self' https://*.vscode-cdn.net",
  nonce: 'q83vEjRWeJCrze8SNFZ4kA==',
  scriptUri: 'https://file+.vscode-resource.vscode-cdn.net/dist/wizard.js',
  styleUri: 'https://file+.vscode-resource.vscode-cdn.net/dist/wizard.css',
  title: 'Truncate Index',
  language: 'en',
};

function policyOf(html: string): string {
  return /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.replaceAll('&#39;', "'") ?? '';
}

suite("The wizard's HTML", () => {
  test("allows only one script by nonce and the extension's style sheets", () => {
    assert.deepEqual(policyOf(pageHtml(PAGE)).split('; '), [
      "default-src 'none'",
      "script-src 'nonce-q83vEjRWeJCrze8SNFZ4kA=='",
      "style-src 'self' https://*.vscode-cdn.net",
      "font-src 'self' https://*.vscode-cdn.net",
      "img-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  test('contains no inline script, style or handler', () => {
    const html = pageHtml(PAGE);
    assert.equal(html.match(/<script\b/g)?.length, 1);
    assert.match(html, /<script type="module" nonce="q83vEjRWeJCrze8SNFZ4kA==" src="[^"]+"><\/script>/);
    assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=|unsafe-/);
  });

  for (const name of ['title', 'language', 'scriptUri', 'styleUri', 'cspSource'] as const) {
    test(`keeps markup in ${name} from becoming markup`, () => {
      const attack = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&`;
      const html = pageHtml({ ...PAGE, [name]: attack });
      assert.equal(html.match(/<script\b/g)?.length, 1);
      assert.doesNotMatch(html, /<img/);
    });
  }

  test('is refused with a source that could add directives', () => {
    assert.throws(() => pageHtml({ ...PAGE, cspSource: "'self'; script-src *" }), RangeError);
  });

  for (const nonce of ['', 'short', "x' 'unsafe-inline' 'nonce-0000", 'aaaaaaaaaaaaaaaa"><script>']) {
    test(`is refused with the nonce ${JSON.stringify(nonce)}`, () =>
      assert.throws(() => pageHtml({ ...PAGE, nonce }), RangeError));
  }
});
