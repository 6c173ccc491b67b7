/** Makes what drives a truncation on a connection, with or without a page. */
import type { ServicePool } from '../connections/servicePool.ts';
import type { PlanDraft } from './plan.ts';
import type { ReportedSize } from '../service/indices/indexSize.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import { reloadSharedStores, type SharedStores } from './sharedStores.ts';
import type { RunParts, RunRecords } from './runParts.ts';
import type { TruncationRecord } from './record.ts';
import { TruncationRun } from './run.ts';

interface RunEnvironment
  extends
    SharedStores,
    Pick<
      RunParts,
      | 'recordId'
      | 'confirm'
      | 'counted'
      | 'tellClosed'
      | 'tellNotStored'
      | 'concluded'
      | 'maxAgeMillis'
      | 'clock'
      | 'newId'
      | 'observe'
    > {
  readonly services: ServicePool;
  /** Where the run writes down what it sends, if not straight into `records`. */
  readonly runRecords?: RunRecords;
  /** Told of each plan that was sent. */
  readonly sent: (connectionId: string, plan: TruncationPlan) => void;
  /** The size of the index now. */
  readonly sizeOf: (connectionId: string, plan: TruncationPlan) => ReportedSize;
}

/** @param from What is to be typed on, or a truncation that was sent before. */
export async function newRun(
  environment: RunEnvironment,
  connectionId: string,
  from: PlanDraft | TruncationRecord,
): Promise<TruncationRun> {
  const {
    store,
    services,
    records,
    runRecords = records,
    sent,
    sizeOf,
    recordId,
    confirm,
    counted,
    tellClosed,
    tellNotStored,
    concluded,
    maxAgeMillis,
    clock,
    newId,
    observe,
  } = environment;
  await Promise.all([store.load(), records.load()]);
  return new TruncationRun(
    {
      recordId,
      connection: () => store.get(connectionId),
      onDidChangeConnections: store.onDidChange,
      service: (current) => services.get(current),
      records: runRecords,
      reload: () => reloadSharedStores(environment),
      sent: (plan) => sent(connectionId, plan),
      sizeBefore: (plan) => {
        const { bytes, precision } = sizeOf(connectionId, plan);
        return { sizeBefore: bytes, sizePrecision: precision };
      },
      confirm,
      counted,
      tellClosed,
      tellNotStored,
      concluded,
      maxAgeMillis,
      clock,
      newId,
      observe,
    },
    from,
  );
}
