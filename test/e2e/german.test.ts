// The main job in German. One story, and so one test.
import { tellIn } from './steps/language.ts';

await tellIn('de');
