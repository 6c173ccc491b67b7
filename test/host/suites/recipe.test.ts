import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ProfileName } from '../../service/profiles.ts';
import { callService, hostService } from '../context.ts';
import type { HostService } from '../environment.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { DrivenWizard } from './support/drivenWizard.ts';
import { openOverview } from './support/overviewPage.ts';
import { personAt } from './support/fixtures.ts';
import { calm, requestsWith } from './support/requests.ts';
import { indexRow } from './support/tree.ts';
import { executionsOf } from './support/truncations.ts';

const NAME = 'Recipes';
const DAY_MS = 86_400_000;

suite('A recipe for the cleanup of a server', () => {
  const person = personAt();

  test("is copied for the server's release, once no run would reindex an index of its list", async () => {
    const { service, wizard } = await wizardFor('0.14', 'dataset/operation', 700);
    wizard.says({ type: 'automate' });
    await person.picks(/^Automate/, 'Copy as datahub-gc Recipe');
    const said = await person.seesNotification(/^Copied a recipe for datahub-gc 0\.13\.1\.3 to 0\.14\.1\.12\./);
    assert.match(
      said,
      /rows older than 700 days from all indices that datahub-gc truncates: dataset\/operation, .*, dashboard\//,
    );
    const recipe = await vscode.env.clipboard.readText();
    assert.match(recipe, /# Release that this server runs by default: 0\.14\.0\n/);
    assert.match(recipe, /\n {4}truncate_index_older_than_days: 700\n/);
    assert.equal((await requestsWith(service, 'truncateTimeseriesAspect')).length, 4);
    assert.deepEqual(await executionsOf(service, 'dataset/operation'), []);
  });

  test('is offered on the overview too, which says what is missing', async () => {
    const service = hostService('0.14');
    await saveConnection(connectionAs(service, 'operator', NAME));
    const overview = await openOverview(NAME);
    overview.says({ type: 'automate' });
    await person.seesNotification(/Run a dry run first\.$/);
  });

  /** Opens the wizard of an index, and makes a dry run with a cutoff this many days ago. */
  async function wizardFor(
    profile: ProfileName,
    target: string,
    days: number,
  ): Promise<{ readonly service: HostService; readonly wizard: DrivenWizard }> {
    const service = hostService(profile);
    await callService(service, 'restoreRows');
    await saveConnection(connectionAs(service, 'operator', NAME));
    const wizard = await DrivenWizard.open(await indexRow(NAME, target));
    await wizard.counted();
    wizard.dryRun({ endTimeMillis: Date.now() - days * DAY_MS });
    await wizard.report();
    await calm(service);
    return { service, wizard };
  }
});
