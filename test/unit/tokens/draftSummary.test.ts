import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import type { StepAnswer } from '../../../src/ui/inputSteps.ts';
import type { TokenCreationFacts, TokenDraft } from '../../../src/tokens/tokenDraft.ts';
import { shownInputs, type ShownInput } from '../ui/window.ts';

const { SummaryLoad, askDraftSummary } = await import('../../../src/tokens/draftSummary.ts');
const { proposeDefaults } = await import('../../../src/tokens/tokenDraft.ts');
const { singleStep } = await import('../../../src/ui/inputSteps.ts');

const TEXTS = { placeholder: 'Create?', connection: 'Main', accept: 'Create' };

const urnOf = (user: string): string => `urn:li:corpuser:${user}`;
const CAROL = urnOf('carol');

function factsOf(user: string, more: Partial<TokenCreationFacts> = {}): TokenCreationFacts {
  return {
    takesDescription: true,
    serviceAccounts: () => Promise.resolve([]),
    caller: urnOf(user),
    cannotCreateOwn: false,
    durations: ['ONE_HOUR', 'ONE_MONTH', 'ONE_YEAR'],
    ...more,
  };
}

function draftNamed(name: string): TokenDraft {
  return { type: 'PERSONAL', name, actorUrn: '', duration: 'ONE_MONTH', description: '' };
}

/** A summary whose facts arrive when the test says so. */
class Stage {
  readonly draft = draftNamed('nightly');
  readonly load = new SummaryLoad(async () => {
    this.loads++;
    const facts = await new Promise<TokenCreationFacts>((resolve, reject) => Object.assign(this, { resolve, reject }));
    proposeDefaults(this.draft, facts);
    return { draft: this.draft, facts };
  });
  loads = 0;
  answer: StepAnswer<void> | undefined;
  readonly resolve!: (facts: TokenCreationFacts) => void;
  readonly reject!: (reason: unknown) => void;

  async open(): Promise<ShownInput> {
    void askDraftSummary(singleStep('New'), TEXTS, this.load).then((answer) => (this.answer = answer));
    return shown();
  }

  async factsArrive(facts = factsOf('admin')): Promise<void> {
    this.resolve(facts);
    await setImmediate();
  }
}

async function shown(): Promise<ShownInput> {
  await setImmediate();
  return (await shownInputs()).at(-1) ?? assert.fail('nothing is shown');
}

/** Presses Enter on the marked item, or on the one with this label. */
async function accept(input: ShownInput, label?: string): Promise<void> {
  input.selectedItems =
    label === undefined ? input.activeItems : input.items.filter((item) => item.label.endsWith(label));
  input.fire('accept');
  await setImmediate();
}

const labelsOf = ({ items }: ShownInput): string[] => items.map(({ label }) => label);

suite('The summary of a new token', () => {
  test('says that a server has no service accounts to act as', async () => {
    const stage = new Stage();
    const pick = await stage.open();
    await stage.factsArrive();
    await accept(pick, 'Acts as');
    await accept(await shown(), 'Service account…');
    const accounts = await shown();
    assert.deepEqual(labelsOf(accounts), ['$(info) This server has no service accounts yet.']);
    await accept(accounts, labelsOf(accounts)[0]);
    assert.equal(stage.answer, undefined, 'it is no account');
  });

  test('ignores what was typed before it was filled', async () => {
    const stage = new Stage();
    const pick = await stage.open();
    pick.value = 'typed for a file';
    await stage.factsArrive();
    assert.deepEqual([pick.busy, pick.value, pick.activeItems[0]?.label], [false, '', '$(check) Create']);
    await accept(pick);
    assert.deepEqual(stage.answer, { kind: 'value', value: undefined });
  });

  test('is filled at once if the facts arrived before', async () => {
    const stage = new Stage();
    void stage.load.attempt();
    await stage.factsArrive();
    await accept(await stage.open());
    assert.deepEqual(stage.answer, { kind: 'value', value: undefined });
    assert.equal(stage.loads, 1);
  });

  test('says why the facts are missing, and tries again', async () => {
    const stage = new Stage();
    const pick = await stage.open();
    stage.reject(new ServiceFailure('unreachable', 'The server is down.'));
    await setImmediate();
    assert.ok(labelsOf(pick).some((label) => label.includes('The server is down.')));
    assert.equal(pick.activeItems[0]?.label, '$(refresh) Try Again');
    await accept(pick);
    assert.deepEqual([stage.loads, labelsOf(pick)], [2, ['$(sync~spin) Loading token types from "Main"…']]);
    await stage.factsArrive();
    assert.equal(pick.activeItems[0]?.label, '$(check) Create');
  });

  test('is returned to by Escape in a question, and left by its own', async () => {
    const stage = new Stage();
    const pick = await stage.open();
    await stage.factsArrive();
    await accept(pick, 'Name');
    (await shown()).fire('hide');
    const again = await shown();
    assert.equal(stage.answer, undefined);
    assert.equal(again.activeItems[0]?.label, '$(check) Create');
    again.fire('hide');
    await setImmediate();
    assert.deepEqual(stage.answer, { kind: 'cancelled' });
  });
});

suite('The user of a new token', () => {
  test('may be one whom nobody could type, if the server says so', async () => {
    const stage = new Stage();
    const caller = 'urn:li:corpGroup:operators';
    const pick = await stage.open();
    await stage.factsArrive({ ...factsOf(''), caller });
    await accept(pick, 'Acts as');
    await accept(await shown(), 'User…');
    const asked = await shown();
    assert.equal(asked.value, caller);
    asked.fire('accept');
    const summary = await shown();
    assert.deepEqual([stage.draft.actorUrn, summary.activeItems[0]?.label], [caller, '$(check) Create']);
  });
});

test('A user whom a new token acts as instead of a service account makes it a personal one', async () => {
  const stage = new Stage();
  Object.assign(stage.draft, { type: 'SERVICE_ACCOUNT', actorUrn: CAROL });
  const pick = await stage.open();
  await stage.factsArrive();
  await accept(pick, 'Acts as');
  await accept(await shown(), 'User…');
  const asked = await shown();
  asked.value = 'admin';
  asked.fire('accept');
  await shown();
  assert.deepEqual([stage.draft.type, stage.draft.actorUrn], ['PERSONAL', urnOf('admin')]);
});

suite('Defaults of a new token', () => {
  test('are a service account to be picked, where the caller can create no token of their own', () => {
    const draft = draftNamed('nightly');
    proposeDefaults(draft, factsOf('admin', { cannotCreateOwn: true }));
    assert.deepEqual([draft.type, draft.actorUrn], ['SERVICE_ACCOUNT', '']);
  });

  test("are the caller's own token, and afterwards what that caller chose, but for another one their own", () => {
    const draft = draftNamed('nightly');
    proposeDefaults(draft, factsOf('admin'));
    assert.deepEqual([draft.actorUrn, draft.duration], [urnOf('admin'), 'ONE_MONTH']);
    proposeDefaults(draft, factsOf('steward', { durations: ['ONE_HOUR'] }));
    assert.deepEqual([draft.actorUrn, draft.duration], [urnOf('steward'), 'ONE_HOUR']);
    Object.assign(draft, { type: 'SERVICE_ACCOUNT', actorUrn: CAROL, duration: 'ONE_YEAR' });
    proposeDefaults(draft, factsOf('steward'));
    assert.deepEqual([draft.type, draft.actorUrn, draft.duration], ['SERVICE_ACCOUNT', CAROL, 'ONE_YEAR']);
    proposeDefaults(draft, factsOf('steward', { serviceAccounts: undefined }));
    assert.deepEqual([draft.type, draft.actorUrn], ['PERSONAL', urnOf('steward')], 'a server without service accounts');
    Object.assign(draft, { type: 'SERVICE_ACCOUNT', actorUrn: CAROL });
    proposeDefaults(draft, factsOf('admin'));
    assert.deepEqual(
      [draft.name, draft.type, draft.actorUrn, draft.duration],
      ['nightly', 'PERSONAL', urnOf('admin'), 'ONE_YEAR'],
    );
  });
});
