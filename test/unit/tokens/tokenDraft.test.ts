import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { proposeDefaults, type TokenCreationFacts, type TokenDraft } from '../../../src/tokens/tokenDraft.ts';

suite('The proposed duration', () => {
  const proposed = (draft: TokenDraft, durations: TokenCreationFacts['durations']): unknown => {
    const unknown = {
      mayGenerateTokens: undefined,
      mayManageAllTokens: undefined,
      mayManageServiceAccounts: undefined,
    };
    proposeDefaults(draft, { caller: 'urn:li:corpuser:a', takesDescription: true, durations, ...unknown });
    return draft.duration;
  };

  test('is replaced by one that was chosen, as long as the server offers that', () => {
    const draft: TokenDraft = { type: 'PERSONAL', name: '', actorUrn: '', duration: 'NO_EXPIRY', description: '' };
    assert.equal(proposed(draft, ['ONE_HOUR', 'ONE_MONTH', 'ONE_YEAR']), 'ONE_MONTH');
    draft.duration = 'ONE_YEAR';
    assert.equal(proposed(draft, ['ONE_MONTH', 'ONE_YEAR']), 'ONE_YEAR');
    assert.equal(proposed(draft, ['ONE_HOUR', 'ONE_DAY']), 'ONE_DAY');
  });
});
