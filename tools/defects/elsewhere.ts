/** Defects of stores, pages and the wiring to VS Code. */
import type { Change, Defect, Suite } from './defect.ts';

function wiring(name: string, suite: Suite, only: string, ...changes: readonly Change[]): Defect {
  return { name, changes, suite, only };
}

export const ELSEWHERE: readonly Defect[] = [
  wiring('an access token is sent over http:// to another machine without consent', 'unit', 'connections/servicePool', {
    file: 'src/connections/servicePool.ts',
    find: 'requireConsent(target, sent);',
    replace: '',
  }),
  wiring('messages of the page are not checked', 'e2e', 'untrusted', {
    file: 'src/pages/kit/host/pagePanel.ts',
    find: 'const message = parsedAs(this.#content.messages, data);',
    replace: 'const message = parsedAs(this.#content.messages, data) ?? (data as Message);',
  }),
  wiring('the page may load any file of the machine', 'e2e', 'untrusted', {
    file: 'src/pages/kit/host/pagePanel.ts',
    find: 'localResourceRoots: [dist]',
    replace: "localResourceRoots: [dist.with({ path: '/' })]",
  }),
  wiring('links of the page may run commands', 'e2e', 'untrusted', {
    file: 'src/pages/kit/host/pagePanel.ts',
    find: 'enableCommandUris: false',
    replace: 'enableCommandUris: true',
  }),
  wiring('a connection has one journal for all its jobs', 'unit', 'truncation/jobStore', {
    file: 'src/truncation/jobStore.ts',
    find: 'return `${connectionId}.${id}`;',
    replace: 'return `${connectionId}.${id.slice(0, 0)}all`;',
  }),
  wiring('a task is judged by an earlier record', 'unit', 'truncation/watch', {
    file: 'src/truncation/watch.ts',
    find: 'const record = this.#jobs.get(stale.connectionId, stale.id);',
    replace: 'const record: TruncationRecord | undefined = stale;',
  }),
  wiring('the clipboard is cleared although it holds something else', 'unit', 'ui/clipboard', {
    file: 'src/ui/clipboard.ts',
    find: "(text === '' && system.mayWithhold) || hashes.includes(await sha256AsHex(text))",
    replace: 'hashes.length > 0',
  }),
  wiring('the clipboard is not cleared when the extension starts again', 'host', 'a copy made before a reload', {
    file: 'src/startup.ts',
    find: 'void clipboard.clearDueTokens();\n  if',
    replace: 'if',
  }),
  wiring('the clipboard is not cleared when the window gets the focus', 'host', 'gets the focus', {
    file: 'src/startup.ts',
    find: 'void clipboard.clearDueTokens();\n    }),',
    replace: '}),',
  }),
  wiring('the consent to plain HTTP counts for another origin', 'unit', 'connections/servicePool', {
    file: 'src/connections/connection.ts',
    find: 'connection.plainHttpOrigin !== originOf(connection)',
    replace: 'connection.plainHttpOrigin === undefined',
  }),
  wiring('a typed token is sent to another origin', 'unit', 'connections/connectionDraft', {
    file: 'src/connections/connectionDraft.ts',
    find: '    takeToken(draft, undefined);\n',
    replace: '',
  }),
  wiring('an unidentified server receives the token with the first request', 'unit', 'service/server/serverInfo', {
    file: 'src/service/server/serverInfo.ts',
    find: 'anonymous = true,',
    replace: 'anonymous = false,',
  }),
  wiring('a token replaces the stored one before it was tested', 'host', 'mistyped', {
    file: 'src/connections/connectionForm.ts',
    find: 'await this.#maySave(action)',
    replace: 'action === action',
  }),
  wiring('a command acts on an argument from another extension', 'host', 'Arguments from another extension', {
    file: 'src/ui/commands.ts',
    find: 'handler(subjectOf(clicked), ',
    replace: 'handler(subjectOf(clicked) ?? clicked, ',
  }),
  wiring('a held token is copied without a question', 'host', 'no held token', {
    file: 'src/tokens/tokenCommands.ts',
    find: 'if (!(await confirmCopy(tokenLabel(token), connection))) {',
    replace: "if (token.id === '' && !(await confirmCopy(tokenLabel(token), connection))) {",
  }),
  wiring(
    'a held token is copied although it was revoked while the question was open',
    'host',
    'no held token',
    {
      file: 'src/tokens/tokenCommands.ts',
      find: 'if (held.secretOf(connection.id, token.id) === undefined) {',
      replace: 'const before = held.secretOf(connection.id, token.id);\n    if (before === undefined) {',
    },
    {
      file: 'src/tokens/tokenCommands.ts',
      find: 'const secret = held.secretOf(connection.id, token.id);\n',
      replace: 'const secret = before;\n',
    },
  ),
  wiring(
    'a click on Stop After This One is too late once the next one was counted again',
    'unit',
    'truncation/stopAnyTime',
    {
      file: 'src/truncation/itemRun.ts',
      find: 'turn.stopReason() ?? (',
      replace: '(',
    },
  ),
  wiring('checkpoints are truncated together with other indices', 'unit', 'truncation/jobReview', {
    file: 'src/truncation/jobItem.ts',
    find: 'if (holdsPipelineState(plan))',
    replace: "if (holdsPipelineState(plan) && plan.aspect === '')",
  }),
  wiring('checkpoints are deleted without their own caution', 'unit', 'truncation/cautions', {
    file: 'src/truncation/cautions.ts',
    find: "holdsState && { kind: 'holdsState', endTimeMillis },",
    replace: '',
  }),
  wiring("a bug's message gets into the log", 'host', 'The log', {
    file: 'src/ui/log.ts',
    find: '${thrown instanceof Error ? thrown.name : typeof thrown}',
    replace: '${String(thrown)}',
  }),
  wiring('a proxy that drops a tunnel is asked without end', 'host', 'fails at a proxy that closes', {
    file: 'src/service/http/droppedTunnel.ts',
    find: 'event.error.code = TUNNEL_DROPPED;',
    replace: 'void TUNNEL_DROPPED;',
  }),
  wiring("the variables of a shell's profile go unsaid", 'host', 'says nothing of a profile', {
    file: 'src/integrations/terminalEnvironment.ts',
    find: 'ENVIRON[names[i]] != ENVIRON',
    replace: 'ENVIRON[names[i]] == ENVIRON',
  }),
  wiring('a proxy gets the token of a service on this machine from a terminal', 'host', 'from the proxy', {
    file: 'src/integrations/terminalEnvironment.ts',
    find: '${env:NO_PROXY},${host}`',
    replace: '${env:NO_PROXY},x.${host}`',
  }),
  wiring('every user sees the token of a copied command', 'unit', 'integrations/copyRequest', {
    file: 'src/integrations/copyRequest.ts',
    find: `'echo "Authorization: Bearer $ACCESS_TOKEN" | curl -q --header @-'`,
    replace: `'curl -q --header "Authorization: Bearer $ACCESS_TOKEN"'`,
  }),
];
