/** Looks a failure up in the table, and in what servers say in words that are known (PROTOCOL.md §6.2, §7.6). */
import * as l10n from '@vscode/l10n';
import { asSentence } from '../../language.ts';
import { ServiceFailure } from './failure.ts';
import { unexpectedResponse } from './localFailures.ts';
import { FAILURES, type FailedRequest, type FailureRow } from './failureTable.ts';

/** An established connection that broke. The request may have reached the server, whatever else is known. */
const BROKEN_LATER = /\b(?:read|write) E[A-Z]|ECONNRESET|EPIPE/;

/** Explains what went wrong by the table. */
export function explainFailure(request: FailedRequest): ServiceFailure {
  const { operation, host, said, status, signs, remote } = request;
  const row = FAILURES.find((one) => matches(one, request));
  if (row === undefined) {
    return unexpectedResponse(operation, said).with({ status });
  }
  const facts = {
    operation: operation.name,
    status: status === 0 ? undefined : status,
    serverText: said,
    retryAfterMillis: request.retryAfterMillis,
    privilege: row.namesPrivilege === true ? operation.privilege : undefined,
    mayHaveActed: row.mayHaveActed ?? BROKEN_LATER.test(signs ?? ''),
    transient: row.transient,
    credentialEnded: row.credentialEnded,
    isFromGateway: row.isFromGateway ?? (request.author === 'gateway' && said !== undefined),
  };
  if (row.isNotReached === true && remote !== undefined) {
    return new ServiceFailure(
      row.kind,
      l10n.t("Can't reach {0} from this computer. The extension runs here, not on {1}.", host, remote),
      {
        ...facts,
        next: l10n.t('Run the extension on the remote machine, or forward the port.'),
        mayBeReachedFromRemote: true,
      },
    );
  }
  const known = row.hasKnownWords === true && said !== undefined ? knownMessage(said) : undefined;
  const sentence = said === undefined ? undefined : row.quoting?.(request, asSentence(said));
  return new ServiceFailure(row.kind, known?.sentence ?? sentence ?? row.sentence(request), {
    ...facts,
    headline: known?.headline ?? row.headline?.(),
    next: known?.next ?? row.next?.(request),
  });
}

function matches(row: FailureRow, request: FailedRequest): boolean {
  const { signs, statuses, codes, where } = row;
  const isRecognized =
    (request.signs !== undefined && signs?.test(request.signs)) ||
    statuses?.includes(request.status) ||
    codes?.some((code) => code === request.graphql?.code) ||
    (signs ?? statuses ?? codes) === undefined;
  return isRecognized && (where?.(request) ?? true);
}

/** Only exact phrases are put in our words; others are quoted. */
interface KnownMessage {
  readonly says: RegExp;
  /** @param found The capture of the pattern. */
  readonly inOurWords: (found: string) => Record<'headline' | 'sentence' | 'next', string>;
}

const checkNamesAdvice = (): string => l10n.t('Check the entity type and the aspect.');

/** The first match counts. */
const KNOWN_MESSAGES: readonly KnownMessage[] = [
  {
    says: /\bno such index \[([^[\]\s]+)\]/,
    inOurWords: (index) => ({
      headline: l10n.t('No such index'),
      sentence: l10n.t('The server has no index "{0}".', index),
      next: checkNamesAdvice(),
    }),
  },
  {
    says: /\bindex_not_found_exception\b/,
    inOurWords: () => ({
      headline: l10n.t('No such index'),
      sentence: l10n.t('The server has no such index.'),
      next: checkNamesAdvice(),
    }),
  },
  {
    says: /\bFailed to find entity with name (\S+) in EntityRegistry\b/,
    inOurWords: (entityType) => ({
      headline: l10n.t('No such entity type'),
      sentence: l10n.t('The server has no entity type "{0}".', entityType),
      next: l10n.t('Check the entity type.'),
    }),
  },
  {
    says: /\bmethod \[[A-Z]+\], host \[.*?\], URI \[.*?\], status line \[HTTP\/[\d.]+ (\d{3})\b/,
    inOurWords: (status) => ({
      headline: l10n.t('Search cluster error ({0})', status),
      sentence: l10n.t("The server's search cluster reported an error (HTTP {0}).", status),
      next: l10n.t('Ask a server administrator. See the server log for details.'),
    }),
  },
];

/** @returns undefined for unknown words. */
function knownMessage(said: string): ReturnType<KnownMessage['inOurWords']> | undefined {
  const message = KNOWN_MESSAGES.find(({ says }) => says.test(said));
  return message?.inOurWords(message.says.exec(said)?.[1] ?? '');
}
