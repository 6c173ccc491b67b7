// The main job in German. One story, and so one test.
import { test } from 'node:test';
import { tellIn } from './steps/language.ts';

test('a person does the main job', await tellIn('de'));
