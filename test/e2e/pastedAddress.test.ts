// The user copies the address of a page of the web front end, pastes it, and presses Enter. Only the workbench shows
// in which order the choices appear and which one is selected.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptQuickInput,
  cancelQuickInput,
  fillQuickInput,
  goBack,
  quickInput,
  quickInputMessage,
  quickInputStep,
  quickPickRow,
  runCommand,
} from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';

const { service, page } = await openStage();
const ADDRESS = service.frontUrl;

for (const path of ['/settings/tokens', '/dataset/urn:li:dataset:(1)/Schema?is_lineage_mode=false', '/login#top']) {
  for (const isShown of [true, false]) {
    const when = isShown ? 'once it is offered' : 'at once';
    test(`Enter on the address of a page (${path}) chooses that of the service, ${when}`, async () => {
      await runCommand(page, 'Metadata Service (DataHub): Add Connection...');
      await quickInputStep(page, 'Add Connection');
      await fillQuickInput(page, `${ADDRESS}${path}`);
      if (isShown) await quickPickRow(page, ADDRESS).waitFor();
      await acceptQuickInput(page);
      await quickInputMessage(page)
        .filter({ hasText: /Access token/ })
        .waitFor();
      await goBack(page);
      await quickPickRow(page, ADDRESS).waitFor();
      assert.equal(await quickInput(page).locator('.quick-input-box input').inputValue(), ADDRESS);
      await cancelQuickInput(page);
    });
  }
}
