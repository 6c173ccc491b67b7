import assert from 'node:assert/strict';
import { SteadyMemento } from '../../../src/platform/steadyMemento.ts';
import { activated } from './support/extension.ts';

const ROUNDS = 400;

suite('The storage of VS Code', () => {
  test('keeps every one of two keys that are set a moment after each other', async () => {
    const { globalState } = (await activated()).context;
    const steady = new SteadyMemento(globalState);
    let lost = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const first = steady.update('probe.first', round);
      // oxlint-disable-next-line no-await-in-loop -- VS Code's own way loses some of them in this very moment
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
      // oxlint-disable-next-line no-await-in-loop
      await Promise.all([first, steady.update('probe.second', round)]);
      if (globalState.get('probe.second') !== round) lost += 1;
    }
    await Promise.all([steady.update('probe.first', undefined), steady.update('probe.second', undefined)]);
    assert.equal(lost, 0);
  });
});
