/** Defects that unit tests must notice. */
import { unit, type Defect } from './defect.ts';

export const UNITS: readonly Defect[] = [
  unit('a new token is lost where few seconds are set for a request', 'service/http/transport', {
    file: 'src/service/http/transport.ts',
    find: 'attempt.limit.restart(LEAST_MUTATION_MILLIS);',
    replace: 'attempt.limit.restart(0);',
  }),
  unit('the time of a keychain counts toward the limit of a change', 'service/http/transport', {
    file: 'src/service/http/transport.ts',
    find: 'attempt.limit.restart(LEAST_MUTATION_MILLIS);',
    replace: '',
  }),
  unit('a request that a proxy gave up counts as not carried out', 'service/failure/failureTable', {
    file: 'src/service/failure/failureTable.ts',
    find: '[...range(400, 431), 451]',
    replace: 'range(400, 499)',
  }),
  unit("a gateway's timeout removes the choice of a delete by query", 'service/indices/indices', {
    file: 'src/service/indices/indices.ts',
    find: 'if (thrown.status !== 400) {',
    replace: 'if (thrown.status === undefined) {',
  }),
  unit('every address of 127.0.0.0/8 counts as this machine, although a proxy may see it', 'service/http/baseUrl', {
    file: 'src/service/http/baseUrl.ts',
    find: 'return LOOPBACK.has(hostname.toLowerCase());',
    replace: "return LOOPBACK.has(hostname.toLowerCase()) || hostname.startsWith('127.');",
  }),
  unit('a request without a token opens a connection whose certificate is not checked', 'service/http/certificates', {
    file: 'src/service/http/transport.ts',
    find: '    this.#refuseUnchecked();',
    replace: '    if (credential !== undefined) this.#refuseUnchecked();',
  }),
  unit('certificate checks that were off temporarily are forgotten', 'service/http/certificates', {
    file: 'src/service/http/network.ts',
    find: "wereOff ||= environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';",
    replace: "wereOff = environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';",
  }),
  unit('a token stays stored if its sign-out can not be written', 'connections/credentialStore', {
    file: 'src/connections/credentialStore.ts',
    find: 'const at = await this.#noteSignOut(id).catch(() => undefined);',
    replace: 'const at = await this.#noteSignOut(id);',
  }),
  unit('a connection whose token could not be deleted stays signed in', 'connections/credentialStore', {
    file: 'src/connections/credentialStore.ts',
    find: '// Without the time, the token must still be deleted.',
    replace: 'await this.delete(id);',
  }),
  unit('a sign-out is not written, so that an old token that comes back counts', 'connections/credentialStore', {
    file: 'src/connections/credentialStore.ts',
    find: '{ signedOutAt: at ?? later(this.#clock.now(), signIn?.storedAt, signedOutAt) }',
    replace: '{}',
  }),
  unit('an edit of another window takes a sign-out back', 'connections/credentialStore', {
    file: 'src/connections/credentialStore.ts',
    find: 'await this.#noteSignOut(id, at).catch(',
    replace: 'await Promise.resolve().catch(',
  }),
  unit('a new token drops the additional headers', 'connections/credentialStore', {
    file: 'src/connections/credentialStore.ts',
    find: 'const kept = headers ?? (await this.readSecrets(connection)).headers;',
    replace: 'const kept = headers ?? {};',
  }),
  unit('a server can have an additional header shown', 'service/http/transport', {
    file: 'src/service/http/transport.ts',
    find: 'Object.values(headers).forEach(rememberHeader);',
    replace: '',
  }),
  unit('an additional header alone goes without encryption and consent', 'connections/servicePool', {
    file: 'src/connections/servicePool.ts',
    find: 'token !== undefined || Object.keys(headers).length > 0',
    replace: 'token !== undefined || headers === undefined',
  }),
  unit('a token from before a sign-out counts', 'connections/credentialStore', {
    file: 'src/connections/connection.ts',
    find: ' && storedAt > (connection.signedOutAt ?? Number.NEGATIVE_INFINITY)',
    replace: '',
  }),
  unit('a token of another origin counts', 'connections/credentialStore', {
    file: 'src/connections/connection.ts',
    find: 'origin === originOf(connection) && storedAt',
    replace: 'storedAt',
  }),
  unit('a token is sent over http:// to a remote machine, where others can listen', 'connections/whereItRuns', {
    file: 'src/connections/whereItRuns.ts',
    find: '(!isLoopbackHost(hostname) || remoteBelow(place) !== undefined)',
    replace: '!isLoopbackHost(hostname)',
  }),
  unit("a created token is held although its connection's token was deleted", 'connections/credentialStore', {
    file: 'src/connections/credentialStore.ts',
    find: `await this.#announce(connectionId);
    this.#signedOut.fire(connectionId);`,
    replace: 'await this.#announce(connectionId);',
  }),
  unit('a sign-out is not noticed if its file alone tells of it', 'connections/credentialStore', {
    file: 'src/connections/credentialStore.ts',
    find: `this.#changed.fire(id);
        this.#signedOut.fire(id);`,
    replace: '',
  }),
  unit('a TLS connection that broke after a mutation counts as nothing sent', 'service/failure/failureTable', {
    file: 'src/service/failure/failureTable.ts',
    find: `break like this.
    mayHaveActed: true,`,
    replace: 'break like this.',
  }),
  unit('an overflow of headers after a mutation counts as nothing sent', 'service/failure/failureTable', {
    file: 'src/service/failure/failureTable.ts',
    find: `    next: () => l10n.t("Check that the address is the service's own."),
    mayHaveActed: true,`,
    replace: `    next: () => l10n.t("Check that the address is the service's own."),`,
  }),
  unit('a response to a mutation that is not HTTP counts as nothing sent', 'service/failure/failureTable', {
    file: 'src/service/failure/failureTable.ts',
    find: `start the address with https://.'),
    mayHaveActed: true,`,
    replace: "start the address with https://.'),",
  }),
  unit('an unreadable response to an execution counts as nothing sent', 'service/lostAnswers', {
    file: 'src/service/failure/failure.ts',
    find: `    serverText,
    mayHaveActed: true,`,
    replace: '    serverText,',
  }),
  unit('the text of a dry run is not masked', 'service/indices/indices', {
    file: 'src/service/indices/indices.ts',
    find: 'this.#transport.withoutSecrets(reply.value.slice(0, LONGEST_REPORT))',
    replace: 'reply.value.slice(0, LONGEST_REPORT)',
  }),
  unit('the text of an execution that was declined is not masked', 'service/indices/indices', {
    file: 'src/service/indices/indices.ts',
    find: "this.#transport.readableText(text, TRUNCATE) ?? ''",
    replace: 'value',
  }),
  unit(
    "the GraphQL client's exception, with the server's whole response, gets into a failure",
    'service/http/graphql',
    {
      file: 'src/service/http/graphql.ts',
      find: 'thrown instanceof ServiceFailure ? thrown : unexpectedResponse(operation)',
      replace: 'thrown instanceof ServiceFailure ? thrown : unexpectedResponse(operation, String(thrown))',
    },
  ),
  unit('a web site in another frame controls what a page shows', 'pages/kit/page/hostLink', {
    file: 'src/pages/kit/page/hostLink.ts',
    find: 'event.origin === window.origin ? parseHostMessage<View>(event.data) : undefined',
    replace: 'parseHostMessage<View>(event.data)',
  }),
  unit('a created token may have a line break, after which the rest runs when pasted', 'service/tokens/tokenCreation', {
    file: 'src/service/tokens/tokenCreation.ts',
    find: 'v.trim(), v.regex(/^[\\x21-\\x7E]+$/)',
    replace: 'v.minLength(1)',
  }),
  unit('a token that was pasted into a page is kept in a file of the workspace', 'pages/kit/page/hostLink', {
    file: 'src/pages/kit/page/hostLink.ts',
    find: ', withoutToken)',
    replace: ')',
  }),
  unit('a crash while a job is continued loses its items', 'truncation/jobStore', {
    file: 'src/truncation/job.ts',
    find: 'at <= now && now - at <= CONTINUING_MILLIS',
    replace: 'at <= now + CONTINUING_MILLIS',
  }),
  unit(
    'a sign-in stores a token for a connection that another window removed',
    'connections/signIn',
    {
      file: 'src/connections/signIn.ts',
      find: 'await credentials.delete(before.id).catch(() => undefined);',
      replace: '',
    },
    {
      file: 'src/connections/credentialStore.ts',
      find: 'void this.#secrets.delete(KEY + id).then(undefined, () => undefined);',
      replace: '',
    },
  ),
  unit('brackets in the path of an address make several requests of a copied one', 'integrations/copyRequest', {
    file: 'src/service/http/baseUrl.ts',
    find: '[^\\w.~:/%-]/gi',
    replace: '[^\\w.~:/%[\\]-]/gi',
  }),
  unit(
    'a scheduled job stops for good once the old rows were deleted by hand',
    'integrations/scheduledJob/jobIndices',
    {
      file: 'src/integrations/scheduledJob/jobIndices.ts',
      find: 'Math.max(1, rows.total - rows.toDelete)',
      replace: 'rows.total',
    },
  ),
  unit('the jobs of two servers share their state', 'integrations/scheduledJob/shellScript', {
    file: 'src/integrations/scheduledJob/shellScript.ts',
    find: '`_${character.charCodeAt(0).toString(16)}`',
    replace: '`_${character.slice(1)}`',
  }),
  unit('a failed run of a CronJob is repeated', 'integrations/scheduledJob/cronJob', {
    file: 'src/integrations/scheduledJob/cronJob.ts',
    find: 'backoffLimit: 0',
    replace: 'backoffLimit: 6',
  }),
  unit('a token that a server returns as an ID is stored', 'tokens/tokenMemory', {
    file: 'src/service/server/identifiers.ts',
    find: 'v.check((text) => !idContainsToken(text)),',
    replace: 'v.check(() => true),',
  }),
  unit('a typo before an address becomes another host, which gets the token', 'service/http/baseUrl', {
    file: 'src/service/http/baseUrl.ts',
    find: ' || !isIntendedHost(url, scheme)',
    replace: '',
  }),
  unit('an access token is taken as the name of an index, which is stored and sent', 'service/failure/foreignNames', {
    file: 'src/indices/indexName.ts',
    find: 'tokenElsewhereProblem(trimmed) ??',
    replace: '',
  }),
  unit('a log pasted by mistake is searched for tokens to its end', 'service/failure/foreignNames', {
    file: 'src/service/failure/redaction.ts',
    find: 'const read = text.slice(0, LONGEST_READ);',
    replace: 'const read = text;',
  }),
  unit('two indices that are listed under one name have one ID', 'indices/indexList', {
    file: 'src/indices/indexList.ts',
    find: 'seen.set(index.indexName, before + 1);',
    replace: '',
  }),
  unit('a token found by a part of it stays readable in the rest', 'service/failure/secretMask', {
    file: 'src/service/failure/secretMask.ts',
    find: 'return end > start && rest.test(text) ? rest.lastIndex : end;',
    replace: 'return end;',
  }),
  unit('a part of a token is not found', 'service/failure/secretMask', {
    file: 'src/service/failure/secretMask.ts',
    find: 'Math.min(PIECE_LENGTH, secret.length)',
    replace: 'secret.length',
  }),
  unit('a truncation ends before it was sent', 'truncation/state', {
    file: 'src/truncation/state.ts',
    find: "state.step === 'sent' && ending.kind !== 'finished'",
    replace: "ending.kind !== 'finished'",
  }),
  unit('a dry run times out before two minutes', 'service/indices/indices', {
    file: 'src/service/indices/indices.ts',
    find: `truncationBody(plan, true),
      signal,
      EXECUTE_TIMEOUT_MILLIS,`,
    replace: `truncationBody(plan, true),
      signal,`,
  }),
  unit('an execution times out before two minutes', 'service/indices/indices', {
    file: 'src/service/indices/indices.ts',
    find: 'body, EXECUTE_TIMEOUT_MILLIS, mayStillSend',
    replace: 'body, 30_000, mayStillSend',
  }),
  unit('a creation without an answer is taken for a token with another name', 'service/tokens/tokenSearch', {
    file: 'src/service/tokens/tokenSearch.ts',
    find: 'token.name === listedName && ',
    replace: '',
  }),
  unit('a creation without an answer is taken for an older token with the same name', 'service/tokens/tokenSearch', {
    file: 'src/service/tokens/tokenSearch.ts',
    find: ' && (token.createdAt ?? since) >= since - CLOCK_SKEW_MILLIS',
    replace: '',
  }),
  unit('a creation without an answer is taken for a token that was listed before', 'service/tokens/tokenSearch', {
    file: 'src/service/tokens/tokenSearch.ts',
    find: '!known.has(token.id) && ',
    replace: '',
  }),
  unit('a change is sent again if the server answers 421', 'service/http/singleUse', {
    file: 'src/service/http/transport.ts',
    find: '    return singleUseBody(request.body, beforeItsEnd);',
    replace: '    void beforeItsEnd();',
  }),
  unit('the end of a change does not wait for the answer to its last check', 'service/http/gate', {
    file: 'src/service/http/transport.ts',
    find: '        await beforeItsEnd();',
    replace: '        void beforeItsEnd();',
  }),
  unit('a change is sent in chunks', 'service/http/singleUse', {
    file: 'src/service/http/transport.ts',
    find: "headers: { ...CONTENT_TYPE, 'Content-Length': String(bytes.byteLength) },",
    replace: 'headers: CONTENT_TYPE,',
  }),
  unit('a 401 to a credential that was never accepted ends it', 'service/tokens/selfRevocation', {
    file: 'src/service/failure/failureTable.ts',
    find: "author === 'container' && sent === 'accepted'",
    replace: "author === 'container' && sent !== 'expired'",
  }),
  unit("a gateway's 401 ends a credential", 'service/tokens/selfRevocation', {
    file: 'src/service/failure/failureTable.ts',
    find: "author === 'gateway' && said !== undefined,",
    replace: "author === 'gateway' && said !== undefined, credentialEnded: true,",
  }),
  unit("a gateway's 403 names a privilege", 'service/failure/failureTable', {
    file: 'src/service/failure/failureTable.ts',
    find: "author !== 'operation'",
    replace: "author === 'nobody'",
  }),
  unit('an address keeps the origin although only its own path answers', 'service/server/findService', {
    file: 'src/service/server/findService.ts',
    find: "if (entrance === 'direct' && transport.baseUrl.length > (front?.baseUrl.length ?? 0)) {",
    replace: "if (entrance !== 'unknown') {",
  }),
  unit('a creation may be answered with the token that the request carried', 'service/tokens/tokenCreation', {
    file: 'src/service/tokens/tokenCreation.ts',
    find: 'knownSecrets().includes(accessToken) || ',
    replace: '',
  }),
  unit('the length of a body is counted in characters', 'service/http/singleUse', {
    file: 'src/service/http/transport.ts',
    find: "'Content-Length': String(bytes.byteLength)",
    replace: "'Content-Length': String(json.length)",
  }),
  ...[421, 425].map((status) =>
    unit(`a change answered with ${status} counts as not carried out`, 'service/sentOnce', {
      file: 'src/service/failure/failureTable.ts',
      find: `statuses: [${status}],`,
      replace: 'statuses: [],',
    }),
  ),
  ...(
    [
      ['a password in an address of a server’s text is shown', '    .replace(USER_IN_ADDRESS, `$1${MASK}@`)\n'],
      ['the value of a header in a server’s text is shown', '    .replace(NAMED_HEADER, `$1${MASK}`)\n'],
      ['a value named password is shown', '    .replace(NAMED_VALUE, `$1${MASK}`)\n'],
      ['a value named token or key is shown', '    .replace(NAMED_TOKEN, `$1${MASK}`)\n'],
      ['the credential behind Basic is shown', '    .replace(BASIC, `$1${MASK}`)\n'],
    ] as const
  ).map(([name, find]) =>
    unit(name, 'service/failure/secretShapes', { file: 'src/service/failure/secretShapes.ts', find, replace: '' }),
  ),
  unit("another connection's token is shown", 'service/failure/secret', {
    file: 'src/service/http/transport.ts',
    find: 'rememberSecret(token);',
    replace: '',
  }),
  unit('a token that was just created is shown', 'service/failure/secret', {
    file: 'src/service/failure/secret.ts',
    find: 'rememberSecret(value);',
    replace: '',
  }),
  unit('a report of a failure holds the words of the server', 'service/failure/failureReport', {
    file: 'src/service/failure/failureReport.ts',
    find: "['Kind', kind],",
    replace: "['Kind', failure.message],",
  }),
  unit('a report of a failure holds whatever a server calls its release', 'service/failure/failureReport', {
    file: 'src/service/failure/failureReport.ts',
    find: "RELEASE.exec(release ?? '')?.[0]",
    replace: 'release',
  }),
  unit('millions of nested arrays are parsed', 'service/http/json', {
    file: 'src/service/http/json.ts',
    find: 'if (isNestedTooDeep(text)) {',
    replace: 'if (false) {',
  }),
  unit('brackets in a text count as levels', 'service/http/json', {
    file: 'src/service/http/json.ts',
    find: 'inString = true;',
    replace: 'inString = false;',
  }),
  unit('an answer is parsed each time it is read', 'service/http/json', {
    file: 'src/service/http/json.ts',
    find: 'parsedResponses.set(answer, known);',
    replace: '',
  }),
  unit('every operation reads as much as a list', 'service/largeAnswers', {
    file: 'src/service/http/transport.ts',
    find: 'const LARGEST_RESPONSE_BYTES = 1024 * 1024;',
    replace: 'const LARGEST_RESPONSE_BYTES = 16 * 1024 * 1024;',
  }),
  unit('cookies are sent', 'service/http/transport', {
    file: 'src/service/http/transport.ts',
    find: "credentials: 'omit'",
    replace: "credentials: 'include'",
  }),
  ...[400, 403, 500].map((status) =>
    unit(`an endpoint that answers ${status} to the search is not found`, 'service/server/operationsEndpoint', {
      file: 'src/service/server/operationsEndpoint.ts',
      find: 'new Set([400, 403, 500])',
      replace: `new Set([${[400, 403, 500].filter((one) => one !== status).join(', ')}])`,
    }),
  ),
  unit('less than a tenth of a percent is shown as a tenth, and nearly all as 99.9%', 'ui/formats', {
    file: 'src/ui/formats.ts',
    find: 'return `<${format.format(0.001)}`;',
    replace: 'return format.format(0.001);',
  }),
  unit('a share of nearly all is shown as all', 'ui/formats', {
    file: 'src/ui/formats.ts',
    find: 'value < 9.95 || value > 99',
    replace: 'value < 9.95',
  }),
  unit('formatting an invalid time throws', 'ui/anyNumber', {
    file: 'src/ui/formats.ts',
    find: 'return Math.abs(millis) <= LONGEST_TIME_MILLIS;',
    replace: 'return Math.abs(millis) <= Number.MAX_VALUE;',
  }),
  unit('the remaining time is shown while the count does not change', 'truncation/texts/progressTexts', {
    file: 'src/truncation/texts/progressTexts.ts',
    find: 'standstill ?? rateText(progress, record, now),',
    replace: 'rateText(progress, record, now) ?? standstill,',
  }),
  unit('the remaining time is computed from a count of an hour ago', 'truncation/texts/progressTexts', {
    file: 'src/truncation/texts/progressTexts.ts',
    find: ' && now - seen.at < OLDEST_LOOK_MILLIS',
    replace: '',
  }),
  unit('a timeout that has passed is not mentioned', 'truncation/texts/progressTexts', {
    file: 'src/truncation/texts/progressTexts.ts',
    find: 'at - record.sentAt > timeoutSeconds * 1_000',
    replace: 'at < record.sentAt',
  }),
  unit('a decreasing count counts as progress', 'truncation/watch', {
    file: 'src/truncation/pollHistory.ts',
    find: 'progress.done > before.done;',
    replace: 'progress.done !== before.done;',
  }),
  unit("another window's execution is shown as if this one awaited its response", 'truncation/record', {
    file: 'src/truncation/record.ts',
    find: "status === 'sending' && record.sessionId !== sessionId",
    replace: "status === 'sending' && sessionId === ''",
  }),
  unit('a truncation lacks the session that sent it', 'truncation/jobExecution', {
    file: 'src/truncation/itemRun.ts',
    find: 'sessionId: SESSION_ID,',
    replace: 'sessionId: SESSION_ID.slice(0, 0),',
  }),
  unit('checking a truncation ignores a response that another window has stored', 'truncation/watch', {
    file: 'src/truncation/watch.ts',
    find: "if (statusOf(stale, this.#clock.now()) === 'sending') {",
    replace: "if (stale.id === '') {",
  }),
  unit('a check is offered for a truncation that a later one replaced', 'truncation/watch', {
    file: 'src/truncation/watch.ts',
    find: 'return canBeJudgedAgain(record) && (record.ending === undefined || this.#isJudged(record));',
    replace: 'return canBeJudgedAgain(record);',
  }),
  unit('rows are counted unasked on a server that is slow', 'rowsByAge/rowsByAge', {
    file: 'src/rowsByAge/rowsByAge.ts',
    find: 'took <= LONGEST_BACKGROUND_COUNT && ',
    replace: '',
  }),
  unit('rows are counted unasked beside a dry run', 'rowsByAge/rowsByAge', {
    file: 'src/service/indices/indices.ts',
    find: 'if (this.#dryRunsUnderWay > 0) {',
    replace: 'if (this.#dryRunsUnderWay > 9) {',
  }),
  unit('a limit of rows is exceeded by a day', 'rowsByAge/limit', {
    file: 'src/rowsByAge/limitedCutoff.ts',
    find: 'oldestAge((days) => rowsOlderThan(days) > limit.rows) + 1',
    replace: 'oldestAge((days) => rowsOlderThan(days) > limit.rows)',
  }),
  unit('the choice of a reindex is offered on PostgreSQL', 'pages/truncation/host/view', {
    file: 'src/pages/truncation/host/view.ts',
    find: "(forceFlagsKnown && (isOnPostgres === false || state.draft.strategy === 'reindex'))",
    replace: 'forceFlagsKnown',
  }),
  unit('a text is read without a limit', 'service/failure/redaction', {
    file: 'src/service/failure/redaction.ts',
    find: 'LONGEST_READ = 20_000',
    replace: 'LONGEST_READ = 2_000_000',
  }),
  unit('a password in an address is kept', 'service/http/baseUrl', {
    file: 'src/service/http/baseUrl.ts',
    find: " || url.password !== ''",
    replace: '',
  }),
  unit("a token in a listed token's name is shown", 'service/failure/foreignNames', {
    file: 'src/service/tokens/accessToken.ts',
    find: 'redactTokens(plainLineKeepingEnds(name, LONGEST_NAME))',
    replace: 'plainLineKeepingEnds(name, LONGEST_NAME)',
  }),
  unit('a token in a listed name or description is shown', 'service/failure/foreignNames', {
    file: 'src/service/tokens/accessToken.ts',
    find: 'redactTokens(plainLine(text, longest))',
    replace: 'plainLine(text, longest)',
  }),
  unit('a token is taken for the aspect of an index', 'service/failure/foreignNames', {
    file: 'src/service/indices/indexSize.ts',
    find: 'v.check((name) => !containsToken(name)),',
    replace: '',
  }),
  unit('a token is stored as the version of a server', 'service/failure/foreignNames', {
    file: 'src/service/server/serverInfo.ts',
    find: ' && redactTokens(text) === text',
    replace: '',
  }),
  unit('a token of a known shape stays in names', 'service/failure/foreignNames', {
    file: 'src/service/failure/redaction.ts',
    find: 'maskKnownSecrets(maskWebTokens(text), knownSecrets(), MASK)',
    replace: 'maskKnownSecrets(text, knownSecrets(), MASK)',
  }),
  unit('names that begin like a token are taken for one', 'service/failure/foreignNames', {
    file: 'src/service/failure/secretShapes.ts',
    find: 'WHOLE_TOKEN.test(found) ? MASK : found',
    replace: 'MASK',
  }),
  unit('a token may be typed as a user ID', 'service/failure/foreignNames', {
    file: 'src/service/server/identifiers.ts',
    find: '  return containsToken(text)\n    ?',
    replace: '  return false\n    ?',
  }),
  unit('a token may be typed as an address', 'service/failure/foreignNames', {
    file: 'src/service/http/baseUrl.ts',
    find: 'problem === undefined ? checkBaseUrl(text) : { problem }',
    replace: 'checkBaseUrl(text)',
  }),
  unit('a token may be typed as the name of a connection', 'service/failure/foreignNames', {
    file: 'src/connections/connectionDraft.ts',
    find: "l10n.t('Another connection already has this name.') : heldTokenProblem(text)",
    replace: "l10n.t('Another connection already has this name.') : undefined",
  }),
  unit('a token may be typed as the name of a token', 'service/failure/foreignNames', {
    file: 'src/tokens/tokenTexts.ts',
    find: 'heldTokenProblem(text) ?? lengthProblem(text, 1',
    replace: 'lengthProblem(text, 1',
  }),
  unit('a token may be typed as a description', 'service/failure/foreignNames', {
    file: 'src/tokens/tokenTexts.ts',
    find: 'heldTokenProblem(text) ?? lengthProblem(text, 0',
    replace: 'lengthProblem(text, 0',
  }),
  unit('a connection is lost whose user is a token', 'service/failure/foreignNames', {
    file: 'src/service/server/identifiers.ts',
    find: "const checked = parseActorUrn(urn ?? '');",
    replace: "const checked = checkTypedActor(urn ?? '');",
  }),
  unit('a known token is shown in a message or a tooltip', 'ui/shownText', {
    file: 'src/ui/foreignText.ts',
    find: 'return redactTokens(plainLine(text, longest));',
    replace: 'return plainLine(text, longest);',
  }),
  unit('a known token is logged', 'ui/shownText', {
    file: 'src/ui/log.ts',
    find: '(redactTokens(line))',
    replace: '(line)',
  }),
  unit('an address in a tooltip is a link', 'ui/shownText', {
    file: 'src/ui/foreignText.ts',
    find: '|~=:@&$]/g',
    replace: '|~=&$]/g',
  }),
  unit('tokens that are still held are forgotten', 'service/failure/secret', {
    file: 'src/service/failure/secret.ts',
    find: 'MOST_REMEMBERED = 256',
    replace: 'MOST_REMEMBERED = 16',
  }),
  unit('a hundred marks on one letter are shown', 'service/failure/redaction', {
    file: 'src/service/failure/redaction.ts',
    find: ".replace(piledUpMarks(), '$1')",
    replace: '',
  }),
];
