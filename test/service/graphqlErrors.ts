import { GraphQLError } from 'graphql';

const codes = { BAD_REQUEST: 400, UNAUTHORIZED: 403, NOT_FOUND: 404, SERVER_ERROR: 500 } as const;

/** A resolver's error with the extensions of real servers. The HTTP status stays 200. */
export function fetchingError(type: keyof typeof codes, message: string): GraphQLError {
  return new GraphQLError(message, {
    extensions: { code: codes[type], type, classification: 'DataFetchingException' },
  });
}
