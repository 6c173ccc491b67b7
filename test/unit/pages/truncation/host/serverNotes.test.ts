/** Notes on the server, with the local service. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MaintenanceNote, serverNoteTexts } from '../../../../../src/pages/truncation/host/serverNotes.ts';
import { serviceFor } from '../../../../service/testClient.ts';
import { clientOf } from '../../../service/conformance/localClients.ts';
import { RECORD, REVIEW, STATES } from '../../../truncation/samples.ts';

const asked = (requests: readonly { readonly path: string }[]): number =>
  requests.filter(({ path }) => path.includes('/maintenance/')).length;

suite("The server's maintenance mode", () => {
  test('is queried once per dry run, and not before', async (context) => {
    const service = await serviceFor(context, { profile: 'next' });
    const client = clientOf(context, service, 'admin', { baseUrl: service.url });
    const note = new MaintenanceNote(() => client);
    await note.followReview(STATES.editing);
    await note.followReview(STATES.dryRunning);
    assert.equal(asked(service.requests), 0);
    service.maintenance.message = 'Upgrade at 10 PM';
    await note.followReview(STATES.reviewed);
    await note.followReview({ ...STATES.reviewed });
    assert.equal(asked(service.requests), 1);
    assert.deepEqual(note.current, { message: 'Upgrade at 10 PM' });
    service.maintenance.message = null;
    await note.followReview({ ...STATES.reviewed, review: { ...REVIEW } });
    assert.equal(note.current, undefined);
  });

  for (const profile of ['spec', '0.14', '1.7'] as const) {
    test(`is unknown on ${profile}, without a failure, and asked for once`, async (context) => {
      const service = await serviceFor(context, { profile });
      service.maintenance.message = 'Upgrade at 10 PM';
      const client = clientOf(context, service, 'admin', { baseUrl: service.url });
      assert.deepEqual([await client.maintenance(), await client.maintenance()], [undefined, undefined]);
      assert.equal(asked(service.requests), 1);
    });
  }

  test('is unknown after an invalid response or a failure', async (context) => {
    const service = await serviceFor(context, { profile: 'next' });
    const client = clientOf(context, service, 'admin', { baseUrl: service.url });
    for (const body of ['{"enabled":"yes"}', '[]', '<html>', '']) {
      service.faults.add({ fault: { kind: 'status', status: 200, body }, match: '/maintenance/' });
      // One fault after the other.
      assert.equal(await client.maintenance(), undefined, body);
    }
    service.faults.add({ fault: { kind: 'cutBefore' }, match: '/maintenance/' });
    assert.equal(await client.maintenance(), undefined);
  });
});

suite('Notes on other activity', () => {
  test('are one sentence each, in one line', () => {
    const operation = { entityType: 'dataset', aspect: 'operation' };
    assert.deepEqual(serverNoteTexts({ message: 'Upgrade\nnow' }, [RECORD], operation), [
      'The server is in maintenance mode: Upgrade now',
      'Another truncation is running on this server: dataset/datasetprofile.',
    ]);
    assert.deepEqual(serverNoteTexts({ message: undefined }, [], operation), ['The server is in maintenance mode.']);
    assert.deepEqual(serverNoteTexts(undefined, [], operation), []);
  });

  test('say whether another truncation is of the same index', () => {
    assert.deepEqual(serverNoteTexts(undefined, [RECORD], RECORD.plan), [
      'Another truncation of this index is running.',
    ]);
  });
});
