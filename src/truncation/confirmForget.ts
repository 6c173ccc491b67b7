/** What is asked before a truncation is forgotten because of which nothing may be deleted from its index. */
import * as l10n from '@vscode/l10n';
import { indexNameText } from '../indices/indexName.ts';
import type { Connection } from '../connections/connection.ts';
import { productionLine } from '../connections/role.ts';
import { confirm } from '../ui/messages.ts';
import { blockingReason } from './record.ts';
import type { TruncationRecord } from './record.ts';

/** @returns true at once where none of them protects an index: nothing is lost with those but a row. */
export async function confirmForget(
  records: readonly TruncationRecord[],
  connectionOf: (record: TruncationRecord) => Connection | undefined,
): Promise<boolean> {
  const blocking = records.filter((record) => blockingReason(record) !== undefined);
  return (
    blocking.length === 0 ||
    confirm(
      l10n.t('Forget the truncation of {0}?', blocking.map(({ plan }) => indexNameText(plan)).join(', ')),
      [
        ...new Set(blocking.flatMap((record) => linesOf(connectionOf(record)))),
        l10n.t(
          "Its reindex may still be running, or may have hidden rows that should stay. Once it's forgotten, rows of this index can be deleted again.",
        ),
      ],
      l10n.t('Forget'),
    )
  );
}

function linesOf(connection: Connection | undefined): string[] {
  return connection === undefined ? [] : productionLine(connection);
}
