/** Token operations in the form that real clients send. */

export const createDocument = `mutation createAccessToken($input: CreateAccessTokenInput!) {
  createAccessToken(input: $input) {
    accessToken
    metadata { urn id name description actorUrn ownerUrn createdAt expiresAt }
  }
}`;

export const listDocument = `query listAccessTokens($input: ListAccessTokenInput!) {
  listAccessTokens(input: $input) {
    start count total
    tokens { urn id name description actorUrn ownerUrn createdAt expiresAt }
  }
}`;

export const revokeDocument = 'mutation revokeAccessToken($tokenId: String!) { revokeAccessToken(tokenId: $tokenId) }';
