/** Defects of the guards before anything that can't be undone, and of what is stored after it. */
import type { Change, Defect, Suite } from './defect.ts';

function guard(name: string, suite: Suite, only: string, ...changes: readonly Change[]): Defect {
  return { name, changes, suite, only };
}

const GOES_ON_BESIDE_ANOTHER: Change = {
  file: 'src/pages/overview/host/jobSession.ts',
  find: 'if (found !== undefined && underWayOf(found.job, Date.now()) === undefined) {',
  replace: 'if (found !== undefined) {',
};
/** Both the plan and the check before the question. */
const UNTICKED: readonly Change[] = [
  {
    file: 'src/truncation/jobItem.ts',
    find: 'return firstUnaccepted(this.cautions, this.acceptedCautions) === undefined;',
    replace: 'return firstUnaccepted(this.cautions, this.acceptedCautions) !== null;',
  },
  {
    file: 'src/truncation/itemReview.ts',
    find: 'if (firstUnaccepted(cautions, this.acceptedCautions) !== undefined) {',
    replace: 'if (firstUnaccepted(cautions, this.acceptedCautions) === null) {',
  },
];
const EMPTY_TEXT: Change = {
  file: 'src/truncation/confirmJob.ts',
  find: 'isRight: (typed) => isTypedName(typed, text),',
  replace: "isRight: (typed) => isTypedName(typed, text) || typed === '',",
};
const NAME_OF_CONNECTION: Change = {
  file: 'src/truncation/confirmJob.ts',
  find: "connection.role === 'production' || !isOnlyConnection ?",
  replace: '!isOnlyConnection ?',
};
export const GUARDS: readonly Defect[] = [
  guard(
    'an interrupted job continues although another window sends one of its items',
    'host',
    'are not sent',
    GOES_ON_BESIDE_ANOTHER,
  ),
  guard('an index with a caution is sent although its box is not ticked', 'host', 'are not sent', ...UNTICKED),
  guard('rows are deleted although nothing was typed', 'invariants', 'production', EMPTY_TEXT),
  guard(
    "on production, the connection's name need not be typed for an index",
    'invariants',
    'production',
    NAME_OF_CONNECTION,
  ),
  guard('several tokens on production are revoked by a dialog alone', 'invariants', 'production', {
    file: 'src/tokens/tokenQuestions.ts',
    find: "if (connection.role === 'production') {",
    replace: "if (connection.role === 'production' && tokens.length === 0) {",
  }),
  guard(
    'an interrupted job continues beside another, without a tick, whatever the answer before',
    'host',
    'are not sent',
    GOES_ON_BESIDE_ANOTHER,
    ...UNTICKED,
    EMPTY_TEXT,
  ),
  guard('a running truncation is forgotten by an argument with its row', 'host', 'is executed once, is watched', {
    file: 'src/truncation/commands.ts',
    find: 'return record !== undefined && fits(record) ? record : undefined;',
    replace: 'return record;',
  }),
  guard('a page reverts changes that the host made meanwhile', 'host', 'keeps changes of its own', {
    file: 'src/pages/truncation/host/panel.ts',
    find: 'if (revision === this.#draftRevision) {',
    replace: 'if (revision <= this.#draftRevision) {',
  }),
  guard('a created token is not offered if VS Code stores nothing', 'host', 'offered all the same', {
    file: 'src/tokens/issueToken.ts',
    find: 'rememberIssued(parts, agreed, issued);',
    replace: "if (issued?.listed) await parts.memory.remember(agreed.id, issued.listed, 'created');",
  }),
  guard('a token is revoked on another server than the one that listed it', 'host', 'previous server', {
    file: 'src/connections/admitChange.ts',
    find: '|| identityOf(current) !== identityOf(connection)) {',
    replace: '|| identityOf(current) === undefined) {',
  }),
  guard(
    'the old token is asked about on another server, and revoked there',
    'host',
    'leads to another server by then',
    {
      file: 'src/tokens/rotateToken.ts',
      find: '{ ...current, baseUrl, actorUrn, product }',
      replace: 'current',
    },
  ),
  guard('a rotation ends if VS Code stores nothing', 'host', 'continues to its end', {
    file: 'src/tokens/rotateToken.ts',
    find: 'const marked = parts.memory.remember(',
    replace: "await parts.memory.remember(connection.id, old, 'superseded');\n  const marked = parts.memory.remember(",
  }),
  guard('a revocation is reported as failed if VS Code stores nothing', 'host', 'reported as revoked', {
    file: 'src/tokens/revokeTokens.ts',
    find: 'await Promise.allSettled(revoked',
    replace: 'await Promise.all(revoked',
  }),
  guard('a token that could not be kept for the connection is not offered again', 'host', 'is offered again', {
    file: 'src/tokens/offerToken.ts',
    find: 'parts.notices.failure(placementFailure(thrown), connection);',
    replace: 'throw thrown;',
  }),
  guard('a revocation of several continues after it was cancelled', 'host', 'of several rows', {
    file: 'src/tokens/revocation.ts',
    find: 'if (stop?.isCancellationRequested === true) {',
    replace: 'if (stop?.isCancellationRequested === true && tokens.length === 0) {',
  }),
  guard("another user's token becomes the credential of a connection", 'host', 'never offers another user', {
    file: 'src/tokens/offerToken.ts',
    find: '...(token.isSelf && !lacksConsent(connection) ? [keepIt] : []),',
    replace: 'keepIt,',
  }),
  guard('a token is kept for a connection that leads to another server by then', 'host', 'address changed meanwhile', {
    file: 'src/tokens/offerToken.ts',
    find: 'if (!isSame || lacksConsent(current)) {',
    replace: 'if (current === undefined || (!isSame && id === null)) {',
  }),
  guard('a token whose ID is not known is lost by closing its dialog', 'host', 'dialog of a token without an ID', {
    file: 'src/tokens/offerToken.ts',
    find: 'return chosen === discard;',
    replace: 'return chosen !== undefined || discard !== undefined;',
  }),
  guard('a bug after a token was created says to try again', 'unit', 'tokens/revocationFailure', {
    file: 'src/tokens/tokenTexts.ts',
    find: 'toServiceFailure(thrown).with({ mayHaveActed: true, next: undefined })',
    replace: 'toServiceFailure(thrown)',
  }),
  guard('a closed log makes the logged action fail', 'host', 'a closed one changes nothing', {
    file: 'src/ui/log.ts',
    find: '// There is no other place to report this.',
    replace: "throw new Error('The log is closed.');",
  }),
  guard('the user is not warned that no other window would clear the clipboard', 'unit', 'ui/clipboard', {
    file: 'src/ui/clipboard.ts',
    find: 'if (!isNoted) {',
    replace: 'if (!isNoted && millis === 0) {',
  }),
  guard('any number of selected tokens is revoked', 'host', 'one more is refused', {
    file: 'src/tokens/tokenCommands.ts',
    find: 'rows.length > MOST_REVOKED_AT_ONCE) {',
    replace: 'rows.length > MOST_REVOKED_AT_ONCE * 1_000) {',
  }),
  guard('any number of checked tokens is revoked', 'host', 'one more is refused', {
    file: 'src/tokens/pickTokens.ts',
    find: '} else if (tokens.length > most) {',
    replace: '} else if (tokens.length > most * 1_000) {',
  }),
  guard('a token that is selected twice is revoked twice', 'host', 'one more is refused', {
    file: 'src/tokens/pickTokens.ts',
    find: 'return unique.length > 0 ? unique : undefined;',
    replace: 'return tokens.length > 0 ? tokens : undefined;',
  }),
  guard('a spreadsheet formula stays behind a separator', 'unit', 'indices/exportSizes', {
    file: 'src/indices/indexTexts.ts',
    find: '(?<=(?:^|${separator})${skipped})',
    replace: '(?<=^${skipped})',
  }),
  guard('a cell is split if a spreadsheet expects another separator', 'unit', 'indices/exportSizes', {
    file: 'src/indices/indexTexts.ts',
    find: `return \`"\${text.replace(formulaStart, "'").replaceAll('"', '""')}"\`;`,
    replace: `const plain = text.replace(formulaStart, "'");
  return /[",\\r\\n]/.test(plain) ? \`"\${plain.replaceAll('"', '""')}"\` : plain;`,
  }),
  guard('formatting a stored number that is not a date throws', 'unit', 'ui/anyNumber', {
    file: 'src/ui/formats.ts',
    find: 'return isValidTime(millis) ? format.format(millis) : NO_TIME;',
    replace: 'return format.format(millis);',
  }),
];
