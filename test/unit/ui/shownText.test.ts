/** Foreign text in tooltips, messages and the log. */
import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import { rememberSecret } from '../../../src/service/failure/secret.ts';
import { inCodeSpan, inLabel, inMarkdown, inMessage, inPlainText, inSentence } from '../../../src/ui/foreignText.ts';
import { written } from './window.ts';

const { RowTooltip } = await import('../../../src/ui/tooltip.ts');
const { Log } = await import('../../../src/ui/log.ts');
const TOKEN = 'hQ7sLw2VbN4xZc9KpT6yRm3JdF8gAe5U';

suite('A tooltip', () => {
  for (const words of [
    'Expired. Renew at https://evil.example/renew',
    'see www.evil.example',
    'mail admin@evil.example',
    'mailto:admin@evil.example',
    '<https://evil.example>',
    '[Renew](https://evil.example)',
  ]) {
    test(`makes no link of ${words}`, () => {
      const { value, ...more } = new RowTooltip().heading(words).text(words).fact('Owner', words).markdown;
      assert.deepEqual(more, {}, 'it runs no command, and shows no HTML and no icon');
      // GFM makes links of these unless they contain a backslash.
      assert.doesNotMatch(value, /\w:\/\/|www\.|\w@|mailto:|[^\\]\]\(|(?<!\\)<|(?<!\\)\[/);
      assert.equal(value.replaceAll(/\\(.)/g, '$1'), `**${words}**\n\n${words}\n\n**Owner**: ${words}\n\n`);
    });
  }

  test('shows numbers at the beginning, and lines that can break at spaces', () => {
    const { value } = new RowTooltip().text('1. one two').text('2) three').markdown;
    assert.equal(value, '1\\. one two\n\n2\\) three\n\n');
  });
});

suite('A known token', () => {
  beforeEach(() => rememberSecret(TOKEN));

  test('is in no visible text', () => {
    for (const show of [inPlainText, inSentence, inLabel, inMessage, inMarkdown, inCodeSpan]) {
      const shown = show(`The name ${TOKEN} is used`);
      assert.ok(!shown.includes(TOKEN), `${show.name}: ${shown}`);
    }
    const { value } = new RowTooltip().heading(TOKEN).text(TOKEN).fact('Owner', TOKEN).markdown;
    assert.ok(!value.includes(TOKEN), value);
  });

  test('is in no line of the log', async () => {
    const { length: others } = await written();
    const log = new Log();
    const exchange = {
      operation: 'revoke',
      isChange: true,
      method: 'POST',
      path: '/x',
      status: 200,
      failure: '',
      bytes: 1,
      millis: 1,
    } as const;
    log.failure(new ServiceFailure('refused', `"${TOKEN}" wasn't revoked.`, { serverText: `no ${TOKEN}` }));
    log.exchange(TOKEN, exchange);
    log.bug(TOKEN, new Error('x'));
    const lines = (await written()).slice(others);
    assert.equal(lines.length, 3);
    assert.ok(!lines.join('\n').includes(TOKEN), lines.join('\n'));
    assert.match(lines[0] ?? '', /"<redacted>" wasn't revoked/);
  });

  test("doesn't change our own sentences", () => {
    for (const text of [
      'createAccessToken: POST /api/graphql → HTTP 200',
      'Revoke the access token "deploy-token: staging-2"?',
      'Access token: nightly-2026',
    ]) {
      assert.equal(inPlainText(text), text);
    }
  });
});

suite('A bug in the log', () => {
  for (const message of [
    'no picker for opaque-secret-0815',
    'no picker\n    at opaque-secret-0815 (file.js:1:1)\nat opaque-secret-0815',
  ]) {
    test(`has its command and its place, and none of its message: ${JSON.stringify(message)}`, async () => {
      new Log().bug('metadataService.connection.add', new RangeError(message));
      const line = (await written()).at(-1) ?? '';
      assert.match(line, /^metadataService\.connection\.add: RangeError\n\s+at .+:\d+:\d+/);
      assert.doesNotMatch(line, /opaque-secret/);
    });
  }

  test('is nothing that fails once VS Code has closed the log', async (context) => {
    const { window } = await import('vscode');
    const closed = (): never => {
      throw new Error('Channel has been closed');
    };
    context.mock.method(window, 'createOutputChannel', () => ({ error: closed }));
    new Log().bug('metadataService.connection.add', new RangeError('no picker'));
  });
});
