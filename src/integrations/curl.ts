/** A request as a command line, without its credential: that one comes from the environment of whoever runs it. */
import { ServiceFailure } from '../service/failure/failure.ts';
import { truncationBody, type TruncationPlan } from '../service/indices/truncation.ts';
import * as l10n from '@vscode/l10n';
import { indexNameProblem, indexNameText } from '../indices/indexName.ts';

/**
 * @param path Of the operations endpoint, as this server has it. Always a dry run: a copied line must not delete.
 * @throws ServiceFailure `badRequest` for a name that no index has: nobody knows into which shell the line is pasted, and each quotes
 * in its own way, so nothing that any of them would interpret is let in.
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
    `curl --request POST '${address(baseUrl + path)}?action=truncateTimeseriesAspect'`,
    '  --header "Authorization: Bearer $ACCESS_TOKEN"',
    "  --header 'Content-Type: application/json'",
    `  --data '${body}'`,
  ].join(' \\\n');
}

/**
 * The same address: what is no letter, digit or harmless mark in every shell is percent-encoded. cURL itself takes brackets in a path
 * for a range, and would send one request for each part of it; the host has been parsed.
 */
function address(url: string): string {
  const { origin } = new URL(url);
  const path = url
    .slice(origin.length)
    .replace(
      /%(?![0-9a-f]{2})|[^\w.~:/%-]/gi,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    );
  return origin + path;
}
