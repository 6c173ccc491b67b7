/**
 * A whole number as a setting has it, within its bounds.
 * @returns `otherwise` for what is no number, or is negative: 0 may mean "never", which a slip of the hand must not.
 */
export function wholeNumber(value: unknown, otherwise: number, least: number, most: number): number {
  return typeof value === 'number' && value >= 0 ? Math.min(most, Math.max(least, Math.floor(value))) : otherwise;
}
