/** Order of the steps that delete rows, the same for one index and for a batch. */

/** The steps of a run, or of a batch of them. */
interface ExecutionSteps<Question> {
  check(): Promise<Question | undefined>;
  answer(question: Question, isYes: boolean): boolean;
  /** @returns true if the gate held it back, so that the user may be asked again. */
  send(): Promise<boolean>;
}

const MOST_QUESTIONS = 2;

/**
 * Executes what was reviewed, from the check to the request.
 * @param ask Shows the question. If it resolves to false or rejects, nothing is deleted.
 */
export async function executeReviewed<Question>(
  run: ExecutionSteps<Question>,
  ask: (question: Question) => Promise<boolean>,
): Promise<void> {
  for (let asked = 0; asked < MOST_QUESTIONS; asked++) {
    const question = await run.check();
    const isAgreed = question !== undefined && run.answer(question, await ask(question).catch(() => false));
    if (!isAgreed || !(await run.send())) {
      return;
    }
  }
}
