/** Kinds of schedules: long ones of everything that can go wrong, and short ones of one thing. */
import type { Machine } from '../machine.ts';
import { JOB_PHASES, jobs, truncateAgain } from './jobs.ts';
import { REPEAT_PHASES, repeat } from './repeat.ts';
import { ROLE_PHASES, roles } from './roles.ts';
import { SIGN_IN_PHASES, signIns } from './signIns.ts';

export const THEME_NAMES = ['mixed', 'repeat', 'roles', 'signIns', 'jobs'] as const;
export type ThemeName = (typeof THEME_NAMES)[number];

export function isTheme(name: string): name is ThemeName {
  return THEME_NAMES.some((one) => one === name);
}

/** A short schedule. */
interface Theme {
  readonly play: (machine: Machine) => Promise<void>;
  /** Phases that some of its schedules must reach. */
  readonly phases: readonly string[];
  readonly longestMillis: number;
  /** Called at the end, when all windows are dead and the storage was inspected. */
  readonly afterwards?: (machine: Machine) => Promise<void>;
}

export const THEMES: Readonly<Record<Exclude<ThemeName, 'mixed'>, Theme>> = {
  repeat: { play: repeat, phases: REPEAT_PHASES, longestMillis: 120_000 },
  roles: { play: roles, phases: ROLE_PHASES, longestMillis: 60_000 },
  signIns: { play: signIns, phases: SIGN_IN_PHASES, longestMillis: 60_000 },
  jobs: { play: jobs, phases: JOB_PHASES, longestMillis: 5_000, afterwards: truncateAgain },
};
