/** Items of a job, at most: the question lists each in a line, and must be visible as a whole. */
export const MAX_ITEMS = 25;
