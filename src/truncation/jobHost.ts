/** VS Code around a job. */
import * as l10n from '@vscode/l10n';
import { showWarning } from '../ui/messages.ts';
import { settings } from '../ui/settings.ts';
import type { JobHost } from './jobEnvironment.ts';
import { problemText } from './outcome.ts';

export function createJobHost(parts: Pick<JobHost, 'sizeOf' | 'sent' | 'concluded'>): JobHost {
  return {
    ...parts,
    maxAgeMillis: settings.dryRunMaxAgeMillis,
    notifyPageClosed: (problem) => void showWarning(problemText(problem)),
    notifyNotStored: () =>
      void showWarning(
        l10n.t(
          "The truncation was sent, but its progress couldn't be stored on this machine. After a reload, its outcome is unknown.",
        ),
      ),
  };
}
