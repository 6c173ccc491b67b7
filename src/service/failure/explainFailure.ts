/** Looks a failure up in the table. */
import * as l10n from '@vscode/l10n';
import { ServiceFailure, unexpectedResponse, withServerText } from './failure.ts';
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
  const sentence = row.sentence(request);
  return new ServiceFailure(row.kind, row.quotes === true ? withServerText(sentence, said) : sentence, {
    ...facts,
    headline: row.headline?.(request),
    next: row.next?.(request),
  });
}

function matches(row: FailureRow, request: FailedRequest): boolean {
  const { signs, statuses, codes, says, where } = row;
  const isRecognized =
    (request.signs !== undefined && signs?.test(request.signs)) ||
    statuses?.includes(request.status) ||
    codes?.some((code) => code === request.graphql?.code) ||
    (signs ?? statuses ?? codes) === undefined;
  return isRecognized && (says?.test(request.said ?? '') ?? true) && (where?.(request) ?? true);
}
