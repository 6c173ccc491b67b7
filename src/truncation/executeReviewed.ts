/** Order of the steps that delete rows, the same for one index and for a batch. */

/** The steps of a run, or of a batch of them. */
interface ExecutionSteps<Question> {
  check(): Promise<Question | undefined>;
  answer(question: Question, isYes: boolean): boolean;
  send(): Promise<void>;
}

/**
 * Executes what was reviewed, from the check to the request.
 * @param ask Shows the question. If it resolves to false or rejects, nothing is deleted.
 */
export async function executeReviewed<Question>(
  run: ExecutionSteps<Question>,
  ask: (question: Question) => Promise<boolean>,
): Promise<void> {
  const question = await run.check();
  if (question !== undefined && run.answer(question, await ask(question).catch(() => false))) {
    await run.send();
  }
}
