/** A request as a command line. The token comes from an environment variable. */
import { ServiceFailure } from '../service/failure/failure.ts';
import { truncationBody, type TruncationPlan } from '../service/indices/truncation.ts';
import * as l10n from '@vscode/l10n';
import { indexNameProblem, indexNameText } from '../indices/indexName.ts';

/**
 * Always a dry run: a copied command must not delete.
 * @param path Path of the operations endpoint on this server.
 * @throws ServiceFailure `badRequest` for an invalid name. The target shell and its quoting are unknown,
 * so nothing that any shell interprets is allowed.
 */
export function dryRunAsCurl(baseUrl: string, path: string, plan: TruncationPlan): string {
  const problem = indexNameProblem(plan.entityType, 'entityType') ?? indexNameProblem(plan.aspect, 'aspect');
  if (problem !== undefined) {
    throw new ServiceFailure('badRequest', l10n.t('"{0}" can\'t be copied as a command line.', indexNameText(plan)), {
      next: problem,
    });
  }
  const body = JSON.stringify(
    truncationBody({ ...plan, entityType: plan.entityType.trim(), aspect: plan.aspect.trim() }, true),
  );
  return [
    `curl --request POST '${shellSafeAddress(baseUrl + path)}?action=truncateTimeseriesAspect'`,
    '  --header "Authorization: Bearer $ACCESS_TOKEN"',
    "  --header 'Content-Type: application/json'",
    `  --data '${body}'`,
  ].join(' \\\n');
}

/**
 * Percent-encodes everything that a shell might interpret. cURL would also expand brackets in a path into
 * several requests. The host is parsed already.
 */
function shellSafeAddress(url: string): string {
  const { origin } = new URL(url);
  const path = url
    .slice(origin.length)
    .replace(
      /%(?![0-9a-f]{2})|[^\w.~:/%-]/gi,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    );
  return origin + path;
}
