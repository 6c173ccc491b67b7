// The main job in German.
import { suite, test } from 'node:test';
import { inOrder } from './harness/inOrder.ts';
import { stepsIn } from './steps/language.ts';

const steps = await stepsIn('de');

suite('a user does the main job', () => {
  inOrder();
  for (const { name, work } of steps) test(name, work);
});
