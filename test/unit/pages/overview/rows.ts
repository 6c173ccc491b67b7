import type { ListedIndex } from '../../../../src/indices/indexList.ts';
import type { JobItemView, OverviewTableRow } from '../../../../src/pages/overview/protocol.ts';

export const PROFILE: ListedIndex = {
  indexName: 'dataset_datasetprofileaspect_v1',
  entityType: 'dataset',
  aspect: 'datasetprofile',
  sizeBytes: 8_100_000_000,
  isTotal: false,
  isAdded: false,
};

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
  truncation: undefined,
};

/** An item of a job, for which nothing was counted. */
export const BARE_ITEM: JobItemView = {
  name: 'dataset/operation',
  shown: 'above',
  rows: undefined,
  consequence: undefined,
  cautions: [],
  isSelected: true,
  canBeSelected: true,
  at: undefined,
  remark: undefined,
  recordId: undefined,
  status: undefined,
};
