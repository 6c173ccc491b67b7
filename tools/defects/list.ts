import type { Defect } from './defect.ts';
import { ELSEWHERE } from './elsewhere.ts';
import { GATE } from './gate.ts';
import { GUARDS } from './guards.ts';
import { ROLES } from './roles.ts';
import { RUN } from './run.ts';
import { SCHEDULES } from './schedules.ts';
import { UNITS } from './units.ts';
import { WINDOWS } from './windows.ts';

/** All defects. After moving code, their places must be updated: each entry reports when it no longer matches. */
export const DEFECTS: readonly Defect[] = [
  ...UNITS,
  ...RUN,
  ...GATE,
  ...WINDOWS,
  ...ROLES,
  ...GUARDS,
  ...SCHEDULES,
  ...ELSEWHERE,
];
