/** Notes on other activity on the server, shown beside a review. Queried with each dry run only. */
import * as l10n from '@vscode/l10n';
import { Emitter, type Disposable } from '../../../platform/events.ts';
import { hasSameSpelling, type IndexName, indexNameText } from '../../../indices/indexName.ts';
import type { MaintenanceNotice } from '../../../service/server/serverInfo.ts';
import type { MetadataService } from '../../../service/service.ts';
import { inSentence } from '../../../ui/foreignText.ts';
import type { TruncationRecord } from '../../../truncation/record.ts';
import type { DryRunReview, TruncationState } from '../../../truncation/state.ts';

export class MaintenanceNote implements Disposable {
  readonly #service: () => MetadataService | undefined;
  readonly #changed = new Emitter<void>();
  #asked: DryRunReview | undefined;
  #maintenance: MaintenanceNotice | undefined;
  readonly onDidChange = this.#changed.event;

  constructor(service: () => MetadataService | undefined) {
    this.#service = service;
  }

  /** As of the last dry run. Undefined if there is no maintenance, or the server doesn't say. */
  get current(): MaintenanceNotice | undefined {
    return this.#maintenance;
  }

  /** Call it with each state. Queries once per dry run. */
  async followReview(state: TruncationState): Promise<void> {
    const review = state.phase === 'reviewed' ? state.review : undefined;
    if (review === undefined || review === this.#asked) {
      return;
    }
    this.#asked = review;
    const maintenance = await this.#service()?.maintenance();
    if (this.#asked === review) {
      this.#maintenance = maintenance;
      this.#changed.fire();
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/**
 * @param running Other truncations on that server.
 * @param target The index of this plan.
 */
export function serverNoteTexts(
  maintenance: MaintenanceNotice | undefined,
  running: readonly TruncationRecord[],
  target: IndexName,
): string[] {
  return [
    ...(maintenance === undefined ? [] : [maintenanceText(maintenance)]),
    ...running.map(({ plan }) =>
      hasSameSpelling(plan, target)
        ? l10n.t('Another truncation of this index is running.')
        : l10n.t('Another truncation is running on this server: {0}.', indexNameText(plan)),
    ),
  ].map(inSentence);
}

function maintenanceText({ message }: MaintenanceNotice): string {
  return message === undefined
    ? l10n.t('The server is in maintenance mode.')
    : l10n.t('The server is in maintenance mode: {0}', message);
}
