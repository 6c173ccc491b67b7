/** Rows of the overview's table. */
import type { OverviewTableRow } from '../../../src/overview/protocol.ts';

/** An index with nothing but a name. */
export const BARE_ROW: OverviewTableRow = {
  id: 'graph_v1',
  entityType: undefined,
  aspect: undefined,
  indexName: 'graph_v1',
  bytes: undefined,
  note: undefined,
  canTruncate: false,
  purpose: undefined,
  onlyAlone: undefined,
  growth: undefined,
  limit: undefined,
  counted: undefined,
  truncation: undefined,
};
