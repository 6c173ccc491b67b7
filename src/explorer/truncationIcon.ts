/** The icon of a truncation in the tree. Pure. */
import type { shownStatusOf } from '../truncation/record.ts';

/** Names of VS Code's own icons and colours. */
export interface TruncationIcon {
  readonly id: string;
  readonly color?: string;
}

/** @param isStill Nothing turns while no row goes: a narrow side bar has no room for the word. */
export function truncationIcon(status: ReturnType<typeof shownStatusOf>, isStill: boolean): TruncationIcon {
  switch (status) {
    case 'sending':
    case 'running':
      return isStill ? { id: 'sync', color: 'list.warningForeground' } : { id: 'sync~spin' };
    case 'finished':
      return { id: 'pass', color: 'testing.iconPassed' };
    case 'failed':
      return { id: 'error', color: 'list.errorForeground' };
    case 'unanswered':
    case 'lost':
    case 'unknown':
      return { id: 'question', color: 'list.warningForeground' };
  }
}
