import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { lackingPrivilege } from '../../../src/tokens/missingPrivilege.ts';

type Rights = Parameters<typeof lackingPrivilege>[0];

const UNKNOWN: Rights = {
  mayGenerateTokens: undefined,
  mayManageAllTokens: undefined,
  mayManageServiceAccounts: undefined,
};

suite('Before a token is described', () => {
  for (const [right, type, isSelf, privilege] of [
    ['mayGenerateTokens', 'PERSONAL', true, 'Generate Personal Access Tokens'],
    ['mayManageAllTokens', 'PERSONAL', false, 'Manage All Access Tokens'],
    ['mayManageServiceAccounts', 'SERVICE_ACCOUNT', true, 'Manage Service Accounts'],
    ['mayManageServiceAccounts', 'SERVICE_ACCOUNT', false, 'Manage Service Accounts'],
  ] as const) {
    test(`"${privilege}" is said to be missing where the server tells so: ${type}, ${isSelf ? 'for oneself' : 'for another'}`, () => {
      assert.equal(
        lackingPrivilege({ ...UNKNOWN, [right]: false }, type, isSelf),
        `You don't have the "${privilege}" privilege, so the server may refuse this.`,
      );
      assert.equal(lackingPrivilege({ ...UNKNOWN, [right]: true }, type, isSelf), undefined);
      assert.equal(lackingPrivilege(UNKNOWN, type, isSelf), undefined, 'what is not known is not guessed');
    });

    test(`nothing is said of privileges that this takes none of: ${type}, ${isSelf ? 'for oneself' : 'for another'}`, () => {
      const none: Rights = { mayGenerateTokens: false, mayManageAllTokens: false, mayManageServiceAccounts: false };
      assert.equal(lackingPrivilege({ ...none, [right]: true }, type, isSelf), undefined);
    });
  }
});
