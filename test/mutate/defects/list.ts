import type { Defect } from './defect.ts';
import { ELSEWHERE } from './elsewhere.ts';
import { RUN } from './run.ts';
import { UNITS } from './units.ts';

/** All of them. After a move of code their places have to be found again: each entry says when it no longer fits. */
export const DEFECTS: readonly Defect[] = [...UNITS, ...RUN, ...ELSEWHERE];
