/** A request as a command line, without its credential: that one comes from the environment of whoever runs it. */
import type { TruncationPlan } from '../truncation/plan.ts';

/** @param path Of the operations endpoint, as this server has it. Always a dry run: a copied line must not delete. */
export function dryRunAsCurl(baseUrl: string, path: string, plan: TruncationPlan): string {
  const body = JSON.stringify({
    entityType: plan.entityType,
    aspect: plan.aspect,
    endTimeMillis: plan.endTimeMillis,
    dryRun: true,
    batchSize: plan.batchSize,
    ...(plan.timeoutSeconds === undefined ? {} : { timeoutSeconds: plan.timeoutSeconds }),
    ...(plan.strategy === 'deleteByQuery' ? { forceDeleteByQuery: true } : {}),
    ...(plan.strategy === 'reindex' ? { forceReindex: true } : {}),
  });
  return [
    `curl --request POST ${quoted(`${baseUrl}${path}?action=truncateTimeseriesAspect`)}`,
    '  --header "Authorization: Bearer $ACCESS_TOKEN"',
    "  --header 'Content-Type: application/json'",
    `  --data ${quoted(body)}`,
  ].join(' \\\n');
}

/** For a POSIX shell: nothing inside is interpreted. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
