/** Defects that the tests of single parts have to notice. */
import type { Change, Defect } from './defect.ts';

function unit(name: string, only: string, ...changes: readonly Change[]): Defect {
  return { name, changes, suite: 'unit', only };
}

export const UNITS: readonly Defect[] = [
  unit(
    'a TLS connection that broke after a mutation was sent is told as if nothing had happened',
    'service/failure/networkFailure',
    {
      file: 'src/service/failure/networkFailure.ts',
      find: `later.
    mayHaveActed: true,`,
      replace: 'later.',
    },
  ),
  unit('an answer to a mutation whose headers overflow is told as if nothing had happened', 'service/lostAnswers', {
    file: 'src/service/failure/networkFailure.ts',
    find: `    next: () => l10n.t("Check that the address is the service's own."),
    mayHaveActed: true,`,
    replace: `    next: () => l10n.t("Check that the address is the service's own."),`,
  }),
  unit('an answer to a mutation that is no HTTP is told as if nothing had happened', 'service/lostAnswers', {
    file: 'src/service/failure/networkFailure.ts',
    find: `start the address with https://.'),
    mayHaveActed: true,`,
    replace: "start the address with https://.'),",
  }),
  unit('garbage in answer to an execution is told as if nothing had happened', 'service/lostAnswers', {
    file: 'src/service/failure/failure.ts',
    find: `    serverText,
    mayHaveActed: true,`,
    replace: '    serverText,',
  }),
  unit('the text of a dry run is not masked', 'service/indices/indices', {
    file: 'src/service/indices/indices.ts',
    find: 'this.#transport.masked(reply.value.slice(0, LONGEST_REPORT))',
    replace: 'reply.value.slice(0, LONGEST_REPORT)',
  }),
  unit('the text of an execution that was declined is not masked', 'service/indices/indices', {
    file: 'src/service/indices/indices.ts',
    find: "this.#transport.readable(text) ?? ''",
    replace: 'value',
  }),
  unit("what the GraphQL client threw, which holds the server's whole answer, gets into a failure", 'service/graphql', {
    file: 'src/service/graphql.ts',
    find: 'thrown instanceof ServiceFailure ? thrown : unexpectedAnswer(operation)',
    replace: 'thrown instanceof ServiceFailure ? thrown : unexpectedAnswer(operation, String(thrown))',
  }),
  unit('of a token that was found by a part of it, the rest stays readable', 'service/failure/redaction', {
    file: 'src/service/failure/secretMask.ts',
    find: 'reached = endOfToken(text, to);',
    replace: 'reached = to;',
  }),
  unit('a token that is written down in part is not found', 'service/failure/redaction', {
    file: 'src/service/failure/secretMask.ts',
    find: 'Math.min(TELLING_LENGTH, secret.length)',
    replace: 'secret.length',
  }),
  unit('a truncation ends before it was sent', 'truncation/model/state', {
    file: 'src/truncation/model/state.ts',
    find: "state.step === 'sent' && ending.kind !== 'finished'",
    replace: "ending.kind !== 'finished'",
  }),
  unit('a dry run is given up before its two minutes', 'service/indices/indices', {
    file: 'src/service/indices/indices.ts',
    find: 'this.#operations.ask(TRUNCATE, truncationBody(plan, true), signal, EXECUTE_TIMEOUT_MILLIS)',
    replace: 'this.#operations.ask(TRUNCATE, truncationBody(plan, true), signal)',
  }),
  unit('an execution is given up before its two minutes', 'service/indices/indices', {
    file: 'src/service/indices/indices.ts',
    find: 'truncationBody(plan, false), undefined, EXECUTE_TIMEOUT_MILLIS)',
    replace: 'truncationBody(plan, false))',
  }),
  unit('a creation whose answer was lost is taken for a token of another name', 'service/tokens/tokenSearch', {
    file: 'src/service/tokens/tokenSearch.ts',
    find: 'token.name === listedName && ',
    replace: '',
  }),
  unit('a creation whose answer was lost is taken for an older token of the same name', 'service/tokens/tokenSearch', {
    file: 'src/service/tokens/tokenSearch.ts',
    find: ' && (token.createdAt ?? since) >= since - CLOCK_SKEW_MILLIS',
    replace: '',
  }),
  unit('a creation whose answer was lost is taken for a token that was listed before', 'service/tokens/tokenSearch', {
    file: 'src/service/tokens/tokenSearch.ts',
    find: 'tokens.filter(({ id }) => known?.has(id) !== true)',
    replace: 'tokens',
  }),
  unit('cookies are sent', 'service/http/transport', {
    file: 'src/service/http/transport.ts',
    find: "credentials: 'omit'",
    replace: "credentials: 'include'",
  }),
  ...[400, 403, 500].map((status) =>
    unit(`an endpoint that answers ${status} to the looking for it is not found`, 'service/operations', {
      file: 'src/service/operations.ts',
      find: 'new Set([400, 403, 500])',
      replace: `new Set([${[400, 403, 500].filter((one) => one !== status).join(', ')}])`,
    }),
  ),
  unit('a text is read however long it is', 'service/failure/redaction', {
    file: 'src/service/failure/redaction.ts',
    find: 'LONGEST_READ = 20_000',
    replace: 'LONGEST_READ = 2_000_000',
  }),
  unit('a password in an address is kept', 'service/http/baseUrl', {
    file: 'src/service/http/baseUrl.ts',
    find: " || url.password !== ''",
    replace: '',
  }),
];
