/** What is known of a change that was under way when something failed. */
import { ServiceFailure, asFailure } from '../service/failure/failure.ts';

/** A bug of ours says nothing about the server: the change may have been made, so it is looked for and never tried again. */
export function mutationFailure(thrown: unknown): ServiceFailure {
  return thrown instanceof ServiceFailure ? thrown : asFailure(thrown).with({ mayHaveActed: true, next: undefined });
}
