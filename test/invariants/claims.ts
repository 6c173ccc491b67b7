/** Outcome of a change that a text states, recognized by its words. */
export type Claim = 'unknown' | 'done' | 'notChecked' | 'rowsLeft' | 'stopped' | 'nothingDone';

const WORDS: readonly (readonly [Claim, RegExp])[] = [
  ['unknown', /may or may not|outcome unknown|result is unknown|no response was received/i],
  ['done', /\bfinished\b|\d rows? deleted|tokens? revoked|was created/i],
  ['notChecked', /finished on the server; not checked/i],
  ['rowsLeft', /searches still find/i],
  ['stopped', /stopped with|^failed$/im],
  ['nothingDone', /nothing was deleted|wasn't sent|not sent|n't start the|(wasn't|not) (revoked|created)/i],
];

/** Several if a text contradicts itself. */
export function claimsIn(text: string): readonly Claim[] {
  return WORDS.filter(([, words]) => words.test(text)).map(([claim]) => claim);
}
