import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { html, type TemplateResult } from 'lit';
import { PageElement } from '../../../../../src/pages/kit/page/pageElement.ts';
import { CREDENTIAL } from '../../../service/clients.ts';

/** The origin that VS Code gives to each page. */
const ORIGIN = 'vscode-webview://1d5b3c';

class PageWindow extends EventTarget {
  readonly origin = ORIGIN;
}

function message(data: unknown, origin: string): Event {
  return Object.assign(new Event('message'), { data, origin });
}

interface View {
  readonly name: string;
}

class Page extends PageElement<unknown, View> {
  readonly arrived: (string | undefined)[][] = [];
  protected readonly news = { arrival: '', texts: [] };
  /** The stored state, as another window's page reads it. */
  kept(state: unknown): unknown {
    this.storeState(state);
    return this.storedState();
  }
  protected override scheduleUpdate(): void {
    // Nothing is drawn: there is no document.
  }
  protected override viewArrived(before: View | undefined, view: View): void {
    this.arrived.push([before?.name, view.name]);
  }
  protected override drawMain(): TemplateResult {
    return html``;
  }
}

customElements.define('test-page', Page);

suite('A page', () => {
  let window: PageWindow;
  let posted: unknown[];
  let page: Page;
  const open = { type: 'open', locale: 'en', view: { name: 'first' } };

  beforeEach(() => {
    window = new PageWindow();
    posted = [];
    let stored: unknown;
    const api = {
      postMessage: (data: unknown) => posted.push(data),
      getState: () => stored,
      setState: (state: unknown) => (stored = state),
    };
    Object.assign(globalThis, { window, acquireVsCodeApi: () => api });
    page = new Page();
    page.connectedCallback();
  });

  afterEach(() => Reflect.deleteProperty(globalThis, 'window'));

  test('asks for its view, and receives messages of its host', () => {
    assert.deepEqual(posted, [{ type: 'ready', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }]);
    window.dispatchEvent(message(open, ORIGIN));
    window.dispatchEvent(message('none of ours', ORIGIN));
    assert.deepEqual(page.arrived, [[undefined, 'first']]);
  });

  test('ignores a site in another frame', () => {
    for (const origin of ['https://evil.example.com', 'vscode-webview://other', 'null', ''])
      window.dispatchEvent(message(open, origin));
    assert.deepEqual(page.arrived, []);
  });

  test('that was just loaded ignores a view that was meant for the one before, since it has no texts yet', () => {
    for (const data of [{ type: 'view', view: { name: 'late' } }, open, { type: 'view', view: { name: 'next' } }]) {
      window.dispatchEvent(message(data, ORIGIN));
    }
    assert.deepEqual(page.arrived, [
      [undefined, 'first'],
      ['first', 'next'],
    ]);
  });

  test('stores no access token, whole or cut off', () => {
    for (const token of [CREDENTIAL, CREDENTIAL.slice(0, 60), `datasets ${CREDENTIAL}`]) {
      assert.deepEqual(page.kept({ filter: token, draft: { aspect: token, batchSize: '5' }, ticked: ['a', token] }), {
        filter: '',
        draft: { aspect: '', batchSize: '5' },
        ticked: ['a', ''],
      });
    }
  });
});
