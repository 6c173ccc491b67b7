/** Order of the steps that delete rows, the same for one index and for a batch. */
import type { Problem } from './outcome.ts';

/** The steps of a run, or of a batch of them. */
interface ExecutionSteps<Question> {
  check(): Promise<Question | undefined>;
  answer(question: Question, isYes: boolean): boolean;
  /** @returns why the gate held it back, if so: then the user may be asked again. */
  send(): Promise<Problem | undefined>;
}

const MOST_QUESTIONS = 2;

/**
 * Executes what was reviewed, from the check to the request.
 * @param ask Shows the question, and why it is asked again. If it resolves to false or rejects, nothing is deleted.
 */
export async function executeReviewed<Question>(
  run: ExecutionSteps<Question>,
  ask: (question: Question, heldBack: Problem | undefined) => Promise<boolean>,
): Promise<void> {
  let heldBack: Problem | undefined;
  for (let asked = 0; asked < MOST_QUESTIONS; asked++) {
    const question = await run.check();
    const isAgreed = question !== undefined && run.answer(question, await ask(question, heldBack).catch(() => false));
    heldBack = isAgreed ? await run.send() : undefined;
    if (heldBack === undefined) {
      return;
    }
  }
}
