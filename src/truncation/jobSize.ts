/** Items of a job, at most: a person looks at each of them before a yes. A file of its own, since a page needs no more. */
export const MAX_ITEMS = 25;
