// The main job in Japanese. One story, and so one test.
import { tellIn } from './steps/language.ts';

await tellIn('ja');
