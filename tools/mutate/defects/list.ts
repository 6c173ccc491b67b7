import type { Defect } from './defect.ts';
import { ELSEWHERE } from './elsewhere.ts';
import { GUARDS } from './guards.ts';
import { ROLES } from './roles.ts';
import { RUN } from './run.ts';
import { SCHEDULES } from './schedules.ts';
import { UNITS } from './units.ts';
import { WINDOWS } from './windows.ts';

/** All of them. After a move of code their places have to be found again: each entry says when it no longer fits. */
export const DEFECTS: readonly Defect[] = [
  ...UNITS,
  ...RUN,
  ...WINDOWS,
  ...ROLES,
  ...GUARDS,
  ...SCHEDULES,
  ...ELSEWHERE,
];
