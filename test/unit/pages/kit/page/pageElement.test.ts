import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { html, type TemplateResult } from 'lit';
import { HostLink, PageElement } from '../../../../../src/pages/kit/page/pageElement.ts';
import { CREDENTIAL } from '../../../service/clients.ts';

/** The origin that VS Code gives to each page. */
const ORIGIN = 'vscode-webview://1d5b3c';

class PageWindow extends EventTarget {
  readonly origin = ORIGIN;
}

function message(data: unknown, origin: string): Event {
  return Object.assign(new Event('message'), { data, origin });
}

suite('A page', () => {
  let page: PageWindow;
  let heard: unknown[];
  let posted: unknown[];
  let link: HostLink<unknown, unknown>;
  const view = { type: 'view', view: { phase: 'editing' } };

  beforeEach(() => {
    page = new PageWindow();
    Object.assign(globalThis, { window: page });
    [heard, posted] = [[], []];
    const api = {
      postMessage: (data: unknown) => posted.push(data),
      getState: () => undefined,
      setState: () => undefined,
    };
    link = new HostLink(api);
  });

  afterEach(() => Reflect.deleteProperty(globalThis, 'window'));

  test('asks for its view, and receives messages of its host', () => {
    link.listen((data) => heard.push(data));
    assert.deepEqual(posted, [{ type: 'ready', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }]);
    page.dispatchEvent(message(view, ORIGIN));
    page.dispatchEvent(message('none of ours', ORIGIN));
    assert.deepEqual(heard, [view]);
  });

  test('ignores a site in another frame', () => {
    link.listen((data) => heard.push(data));
    for (const origin of ['https://evil.example.com', 'vscode-webview://other', 'null', ''])
      page.dispatchEvent(message(view, origin));
    assert.deepEqual(heard, []);
  });
});

test('A page that was just loaded ignores a view that was meant for the one before, since it has no texts yet', () => {
  interface View {
    readonly name: string;
  }
  class Page extends PageElement<unknown, View> {
    readonly arrived: (string | undefined)[][] = [];
    protected readonly announcement = '';
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
  const window = new PageWindow();
  Object.assign(globalThis, { window, acquireVsCodeApi: () => ({ postMessage: () => undefined }) });
  const page = new Page();
  page.connectedCallback();
  for (const data of [
    { type: 'view', view: { name: 'late' } },
    { type: 'open', locale: 'en', view: { name: 'first' } },
    { type: 'view', view: { name: 'next' } },
  ]) {
    window.dispatchEvent(message(data, ORIGIN));
  }
  const expected = [
    [undefined, 'first'],
    ['first', 'next'],
  ];
  assert.deepEqual(page.arrived, expected);
});

suite('The stored state of a page', () => {
  const kept = (state: unknown): unknown => {
    let stored: unknown;
    const api = { postMessage: () => undefined, getState: () => stored, setState: (one: unknown) => (stored = one) };
    const link = new HostLink(api);
    link.storeState(state);
    return link.storedState();
  };

  test('contains no access token, whole or cut off', () => {
    for (const token of [CREDENTIAL, CREDENTIAL.slice(0, 60), `datasets ${CREDENTIAL}`]) {
      assert.deepEqual(kept({ filter: token, draft: { aspect: token, batchSize: '5' }, ticked: ['a', token] }), {
        filter: '',
        draft: { aspect: '', batchSize: '5' },
        ticked: ['a', ''],
      });
    }
  });
});
