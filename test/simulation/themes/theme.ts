/** Kinds of schedules: long ones of everything that can go wrong, and short ones of two windows over one job. */
export const THEME_NAMES = ['mixed', 'jobs'] as const;
export type ThemeName = (typeof THEME_NAMES)[number];

export function isTheme(name: string): name is ThemeName {
  return THEME_NAMES.some((one) => one === name);
}
