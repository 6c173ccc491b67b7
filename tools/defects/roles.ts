/** Defects of roles, and of other choices in another window or typed by the user. */
import type { Change, Defect, Suite } from './defect.ts';

const CONNECTION_STORE = 'src/connections/connectionStore.ts';
const CONNECTION_DRAFT = 'src/connections/connectionDraft.ts';

function inSuite(name: string, suite: Suite, only: string, ...changes: readonly Change[]): Defect {
  return { name, changes, suite, only };
}

export const ROLES: readonly Defect[] = [
  inSuite('a token that was typed for one address is kept for that of another window', 'unit', 'connections/signIn', {
    file: 'src/connections/signIn.ts',
    find: 'if (keyOf(current) !== keyOf(read)) {',
    replace: "if (current.id === '') {",
  }),
  inSuite('a connection without a role that can be read is not read-only', 'unit', 'connections/connectionStore', {
    file: CONNECTION_STORE,
    find: "role === undefined ? 'readOnly'",
    replace: "role === undefined ? 'development'",
  }),
  inSuite('the role of a removed connection stays', 'unit', 'connections/removal', {
    file: CONNECTION_STORE,
    find: `await this.#roles.remove(id);
      await this.#fields.remove(id);
      // Another window may have chosen one meanwhile.
      await this.#roles.remove(id);`,
    replace: 'await this.#fields.remove(id);',
  }),
  inSuite('an edit restores every field from its start', 'unit', 'connections/connectionDraft', {
    file: CONNECTION_DRAFT,
    find: 'Object.fromEntries(changed.map(',
    replace: 'Object.fromEntries(keys.map(',
  }),
  inSuite('an edit is saved to the address that another window set', 'unit', 'connections/connectionDraft', {
    file: CONNECTION_DRAFT,
    find: 'identityOf(current) === identityOf(read) || isNameAlone',
    replace: 'read !== undefined || isNameAlone',
  }),
  inSuite('a token typed for one address goes to that of another window', 'unit', 'connections/connectionDraft', {
    file: CONNECTION_DRAFT,
    find: 'const changesMore = token !== undefined || ',
    replace: 'const changesMore = ',
  }),
  inSuite('a change depends on the role that the window remembers', 'unit', 'connections/mayStillSend', {
    file: 'src/connections/mayStillSend.ts',
    find: 'const current = await store.getFresh(agreed.id);',
    replace: 'const current = store.get(agreed.id);',
  }),
  inSuite('a yes to a withdrawn question counts for the next one', 'unit', 'truncation/jobExecution', {
    file: 'src/truncation/itemReview.ts',
    find: "state.phase !== 'confirming' || state.review !== review",
    replace: "state.phase !== 'confirming'",
  }),
  inSuite('a change is sent although the roles cannot be read', 'unit', 'connections/connectionStore', {
    file: CONNECTION_STORE,
    find: 'await this.#roles.reload();',
    replace: 'await this.#roles.reload().catch(() => undefined);',
  }),
  inSuite('a connection that another window removed can still change something', 'unit', 'connections/mayStillSend', {
    file: CONNECTION_STORE,
    find: 'await this.#readFiles();\n    return this.get(id);',
    replace: 'return this.get(id);',
  }),
  inSuite('a change of a connection undoes that of another window', 'unit', 'connections/connectionStore', {
    file: CONNECTION_STORE,
    find: 'await this.#readFiles();\n      const current = this.get(id);',
    replace: 'const current = this.get(id);',
  }),
  inSuite('a truncation is confirmed by the question for the previous role', 'unit', 'truncation/jobConnection', {
    file: 'src/truncation/itemReview.ts',
    find: ' || this.state !== state',
    replace: '',
  }),
  inSuite('a name of a connection may have characters that cannot be typed', 'unit', 'ui/typedName', {
    file: 'src/ui/typedName.ts',
    find: 'normalizedName(shown) === typed',
    replace: 'shown === typed',
  }),
  inSuite('a typed name must have the invisible characters of the real one', 'unit', 'ui/typedName', {
    file: 'src/ui/typedName.ts',
    find: 'const typed = normalizedName(text);',
    replace: 'const typed = text.trim();',
  }),
  inSuite('a row ignores a sign-out in another window', 'host', 'a row that stays expanded', {
    file: 'src/connections/connectionStore.ts',
    find: 'this.#announceIfChanged();\n      // Learned again',
    replace: '// Learned again',
  }),
  inSuite('a refresh ignores a sign-out in another window', 'host', 'if VS Code does not report it', {
    file: 'src/explorer/explorer.ts',
    find: 'await reloadSharedStores(this.#parts);',
    replace: 'await Promise.all([this.#parts.store.reload(), this.#parts.records.reload()]);',
  }),
  inSuite('a wizard that needs a sign-in offers none', 'unit', 'pages/truncation/host/view', {
    file: 'src/truncation/outcome.ts',
    find: "isSignedOut: kind === 'signedOut'",
    replace: "isSignedOut: kind === 'storage'",
  }),
  inSuite('Enter on the address of a page chooses the page', 'e2e', 'keyboard', {
    file: 'src/connections/addressField.ts',
    find: "{ ...item, label: l10n.t('Use the address as typed'), detail: baseUrl }",
    replace: 'item',
  }),
];
