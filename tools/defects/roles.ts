/** Defects of roles, and of other choices in another window or typed by the user. */
import type { Change, Defect, Suite } from './defect.ts';

const ROLE_STORE = 'src/connections/roleStore.ts';
const CONNECTION_DRAFT = 'src/connections/connectionDraft.ts';

function ofStore(name: string, find: string, replace: string): Defect {
  return inSuite(name, 'unit', 'connections/roleStore', { file: ROLE_STORE, find, replace });
}

function inSuite(name: string, suite: Suite, only: string, ...changes: readonly Change[]): Defect {
  return { name, changes, suite, only };
}

export const ROLES: readonly Defect[] = [
  inSuite("a sign-in undoes another window's change of the address", 'unit', 'connections/signIn', {
    file: 'src/connections/signIn.ts',
    find: 'now !== undefined && identityOf(now) !== identityOf(read)',
    replace: 'now === null',
  }),
  ofStore(
    'the laxer of two role choices with an unknown order applies',
    'isLaxerRole(choice.role, by.role)',
    'isLaxerRole(by.role, choice.role)',
  ),
  ofStore(
    'the strictest role ever chosen applies',
    'by.counter > choice.counter || (by.counter === choice.counter && isLaxerRole(choice.role, by.role))',
    'isLaxerRole(choice.role, by.role)',
  ),
  ofStore('a concurrent choice of a role is undone', 'role = stricterRole(role, now.role);', 'role = chosen;'),
  ofStore(
    'a concurrent choice of a role is ignored',
    'roleToStore(chosen, seen, now.role)',
    'roleToStore(chosen, seen, seen)',
  ),
  ofStore(
    "a role is only in VS Code's storage",
    '...this.#copiedChoices(connectionId), ...this.#recordedChoices(connectionId),',
    '...this.#copiedChoices(connectionId),',
  ),
  ofStore(
    'a role does not reach windows with another folder',
    '...this.#copiedChoices(connectionId), ...this.#recordedChoices(connectionId),',
    '...this.#recordedChoices(connectionId),',
  ),
  ofStore(
    "the copy of a role that VS Code's storage lost is not written again",
    'this.#timers.set(connectionId, this.#clock.after(SETTLING_MILLIS, copyToMementoAgain));',
    'this.#timers.set(connectionId, copyToMementoAgain);',
  ),
  ofStore(
    'a damaged file of a role is ignored',
    "parsed.success ? parsed.output : { role: 'readOnly' }",
    'parsed.success ? parsed.output : (undefined as unknown as StoredRoleChoice)',
  ),
  ofStore('files of roles are never removed', 'await this.#removeOldChoices(connectionId);', ''),
  ofStore(
    'the roles of a removed connection stay',
    'await this.#removeChoices(connectionId, this.#recordedChoices(connectionId));',
    '',
  ),
  inSuite('a role is reported as changed although a stricter one applies', 'unit', 'connections/currentRole', {
    file: 'src/connections/admitChange.ts',
    find: 'store.get(connection.id)?.role ?? chosen',
    replace: 'chosen as ConnectionRole | undefined',
  }),
  inSuite('an edit restores every field from its start', 'unit', 'connections/connectionDraft', {
    file: CONNECTION_DRAFT,
    find: 'Object.fromEntries(changed.map(',
    replace: 'Object.fromEntries(keys.map(',
  }),
  inSuite('an edit is saved to the address that another window set', 'unit', 'connections/connectionDraft', {
    file: CONNECTION_DRAFT,
    find: 'identityOf(current) !== identityOf(read) && !isNameAlone',
    replace: 'read === undefined && !isNameAlone',
  }),
  inSuite('a token typed for one address goes to that of another window', 'unit', 'connections/connectionDraft', {
    file: CONNECTION_DRAFT,
    find: 'draft.token === undefined && changed',
    replace: "changed.filter((key) => key !== 'credentialTokenId')",
  }),
  inSuite('an edit saves a role that the user only moved past', 'unit', 'connections/connectionDraft', {
    file: CONNECTION_DRAFT,
    find: 'isRoleKept ? current.role : roleToStore(',
    replace: 'isRoleKept && false ? current.role : roleToStore(',
  }),
  inSuite('a change depends on the role that the window remembers', 'unit', 'connections/roleStore', {
    file: 'src/connections/mayStillSend.ts',
    find: 'const current = await store.getFresh(agreed.id);',
    replace: 'const current = store.get(agreed.id);',
  }),
  inSuite('a yes to a withdrawn question counts for the next one', 'unit', 'truncation/run', {
    file: 'src/truncation/run.ts',
    find: "this.#state.phase === 'confirming' && this.#state.review === review",
    replace: "this.#state.phase === 'confirming'",
  }),
  inSuite('a change is sent although the roles cannot be read', 'unit', 'connections/roleStore', {
    file: 'src/connections/connectionStore.ts',
    find: 'await Promise.all([this.#roles.readRoleFiles(), this.#removals.reload()]);',
    replace: 'await Promise.all([this.#roles.readRoleFiles().catch(() => undefined), this.#removals.reload()]);',
  }),
  inSuite('a connection that another window removed can still change something', 'unit', 'connections/servicePool', {
    file: 'src/connections/connectionStore.ts',
    find: 'await Promise.all([this.#roles.readRoleFiles(), this.#removals.reload()]);',
    replace: 'await this.#roles.readRoleFiles();',
  }),
  inSuite('choosing a role undoes a concurrent sign-in', 'unit', 'connections/roleStore', {
    file: 'src/connections/connectionStore.ts',
    find: '(isRoleAlone ? this.get(id) : undefined) ?? connection',
    replace: 'connection',
  }),
  inSuite('a truncation is confirmed by the question for the previous role', 'unit', 'truncation/run', {
    file: 'src/truncation/run.ts',
    find: ' || this.#state !== state',
    replace: '',
  }),
  inSuite('a name of a connection may have characters that cannot be typed', 'unit', 'connections/connection', {
    file: 'src/connections/connection.ts',
    find: 'shortenedName(normalizedName(name))',
    replace: 'name',
  }),
  inSuite('a typed name must have the invisible characters of the real one', 'unit', 'ui/typedName', {
    file: 'src/ui/typedName.ts',
    find: 'const typed = normalizedName(text);',
    replace: 'const typed = text.trim();',
  }),
  inSuite('a collapsed row ignores a sign-out in another window', 'host', 'a row that stays expanded', {
    file: 'src/explorer/explorer.ts',
    find: 'if (this.#signedIn.has(connectionId)) {',
    replace: 'if (!this.#signedIn.has(connectionId)) {',
  }),
  inSuite('a refresh ignores a sign-out in another window', 'host', 'if VS Code does not report it', {
    file: 'src/explorer/explorer.ts',
    find: 'await reloadSharedStores(this.#parts);',
    replace: 'await Promise.all([this.#parts.store.reload(), this.#parts.records.reload()]);',
  }),
  inSuite('a wizard that needs a sign-in offers none', 'unit', 'wizard/host/view', {
    file: 'src/truncation/outcome.ts',
    find: "isSignedOut: kind === 'signedOut'",
    replace: "isSignedOut: kind === 'storage'",
  }),
  inSuite('Enter on the address of a page chooses the page', 'e2e', 'keyboard', {
    file: 'src/connections/addressStep.ts',
    find: '? asTypedItem(address)',
    replace: '? addressItem(address)',
  }),
];
