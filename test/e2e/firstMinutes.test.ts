// Five tasks of the first minutes, each in few actions: a button, an entry of a menu, or a text that is typed and
// accepted. Icons in rows are for what destroys nothing, so a token is revoked by the menu of its row.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { eventually } from './harness/conditions.ts';
import { answerModal, clipboardText, modal } from './harness/dialogs.ts';
import { inOrder } from './harness/inOrder.ts';
import { fillQuickInput, pick, pressUntil, quickInputMessage, quickPickRow } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { chooseFromRow, expandRow, pressRowIcon, treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { openViewContainer } from './harness/workbench.ts';
import { agreeToPlainHttp, answerStep } from './steps/connections.ts';
import { executeRequests } from './steps/service.ts';
import { finished, confirmDeletion } from './steps/wizard.ts';

const { service, page } = await openStage();
const webview = webviewPage(page);

suite('a user who has just installed the extension', () => {
  inOrder();

  test('connects in 6 actions', () =>
    withinActions(6, async (act) => {
      await act('opens the view', () => openViewContainer(page, 'DataHub'));
      await act('presses Add Connection', () =>
        page.locator('.part.sidebar').getByRole('button', { name: 'Add Connection' }).last().click(),
      );
      await act('types the address', async () => {
        await quickPickRow(page, /Type or paste the address/).waitFor();
        await fillQuickInput(page, service.url);
        await quickPickRow(page, /^\s*https?:/).waitFor();
        await pressUntil(page, 'Enter', quickInputMessage(page).filter({ hasText: /Access token/ }));
      });
      await act('pastes the token', () => answerStep(page, /Access token/, service.adminToken));
      await act('saves', () => pick(page, 'Save Connection'));
      await act('agrees to plain HTTP', () => agreeToPlainHttp(page));
      await page.locator('.statusbar-item', { hasText: /Connection ".+" added/ }).waitFor();
    }));

  test('creates a token and copies it in at most 4 actions', async () => {
    await expandRow(page, /^Access tokens/);
    const nameStep = quickInputMessage(page).filter({ hasText: /Name this token/ });
    await withinActions(4, async (act) => {
      await act('presses the plus', () =>
        pressRowIcon(page, /^Access tokens/, 'Create Access Token', () => nameStep.isVisible()),
      );
      await act('types a name', () => answerStep(page, /Name this token/, 'first'));
      await act('creates it', () => pick(page, 'Create Access Token'));
      await modal(page).waitFor();
      await act('copies it', () => answerModal(page, 'Copy Token'));
    });
    await eventually(async () => assert.match(await clipboardText(page), /^\S{20,}$/));
    await treeRow(page, /^first/).waitFor();
  });

  test('revokes it in 2 actions', () =>
    withinActions(2, async (act) => {
      await act('chooses it from the menu of its row', () => chooseFromRow(page, /^first/, 'Revoke Access Token'));
      await modal(page).waitFor();
      await act('confirms', () => answerModal(page, 'Revoke'));
      await treeRow(page, /^first/).waitFor({ state: 'detached' });
    }));

  test('runs the dry run of an index and deletes its old rows in 4 actions', async () => {
    await expandRow(page, /^Time series indices/);
    const days = webview.getByRole('combobox', { name: 'Delete rows older than' });
    await withinActions(4, async (act) => {
      await act('presses Truncate Index', () =>
        pressRowIcon(page, /^dataset, operation,/, 'Truncate Index', () => days.isVisible()),
      );
      await act('types the days and accepts', async () => {
        await days.fill('365');
        await days.press('Enter');
      });
      await act('presses Delete', () => webview.getByRole('button', { name: /^Delete .*Rows…$/ }).click());
      await act('types the name', () => confirmDeletion(page, 'dataset/operation'));
    });
    await finished(webview);
    assert.equal(executeRequests(service).length, 1);
  });

  test('deletes the old rows of five indices in at most 7 actions', async () => {
    service.clearRequests();
    const boxes = webview.getByRole('checkbox', { name: /^Select [a-z]+\// });
    await withinActions(7, async (act) => {
      await act('presses Time Series Indices', () =>
        pressRowIcon(page, /^Time series indices/, 'Time Series Indices', () => boxes.first().isVisible()),
      );
      await act('ticks the first', () => boxes.first().click());
      await act('ticks as far as the fifth', () => boxes.nth(4).click({ modifiers: ['Shift'] }));
      await act('presses Dry Run', () => webview.getByRole('button', { name: 'Dry Run' }).click());
      // Its last truncation kept rows of a year, and this one keeps rows of 90 days.
      await act('ticks the one with a caution', () =>
        webview.getByRole('checkbox', { name: 'dataset/operation', exact: true }).click(),
      );
      await webview.getByText('5 ticked', { exact: true }).waitFor();
      await act('presses Delete', () => webview.getByRole('button', { name: /^Delete .*Rows…$/ }).click());
      await act('types the name of the connection', () => confirmDeletion(page, '5 indices'));
    });
    await inQuickTime(() => eventually(() => assert.equal(executeRequests(service).length, 5)));
  });
});

type Act = (what: string, action: () => Promise<unknown>) => Promise<void>;

/** @throws if the task takes more actions */
async function withinActions(most: number, task: (act: Act) => Promise<void>): Promise<void> {
  const done: string[] = [];
  await task(async (what, action) => {
    done.push(what);
    await action();
  });
  assert.ok(done.length <= most, done.join(', '));
}
