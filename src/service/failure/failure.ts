/**
 * The one error that leaves `service/`: what happened, why, and what to do next.
 * Holds no secret: server text is masked and shortened before it gets here (redaction.ts).
 */
import * as l10n from '@vscode/l10n';
import { asSentence } from '../../language.ts';

export type FailureKind =
  /** The request is malformed. Nothing was sent, or the server said so (400). */
  | 'badRequest'
  /** No connection: unknown name, no route, nothing listening, or a cut connection. */
  | 'unreachable'
  | 'tls'
  | 'timedOut'
  | 'cancelled'
  /** 401: no credential, or a rejected one. */
  | 'signedOut'
  /** 403: a missing privilege. */
  | 'refused'
  | 'notFound'
  /** 429. */
  | 'throttled'
  /** 502, 503, 504: the server, or something in front of it, is not ready. */
  | 'unavailable'
  /** An error in the server (500, GraphQL SERVER_ERROR). */
  | 'server'
  /** A bug of the extension. */
  | 'internal'
  | 'redirected'
  /** A response that this service never gives: HTML, broken JSON, another shape. */
  | 'unexpectedAnswer'
  | 'tooLarge'
  /** The server's schema rejects the GraphQL document. Nothing was executed. */
  | 'invalidDocument'
  /** The server has no such operation. */
  | 'unsupported'
  /** SecretStorage failed to read or write the credential. */
  | 'storage'
  /** The user made the connection read-only. Nothing was sent. */
  | 'readOnly'
  /** A change that the user agreed to, on what is something else by now. Nothing was sent. */
  | 'notSent';

/** A request by its purpose, for sentences such as "You may not <doing>." */
export interface ServerOperation {
  /** For logs, reports and failures: `listAccessTokens`. Of the operations endpoint, also the action that is sent. */
  readonly name: string;
  /** As part of a sentence: "list all access tokens". */
  readonly actionPhrase: () => string;
  /** Display name of the required privilege (PROTOCOL.md §6.3). */
  readonly privilege?: string;
  /** The response may hold a new secret, anywhere. It can't be masked while unknown, so no text is taken from it. */
  readonly answersSecret?: true;
  /** Limit of the response body, in bytes; 1 MB by default. */
  readonly largestAnswerBytes?: number;
}

/** What is known of a failure besides its kind and its sentence. A headline replaces that of the kind. */
type FailureFacts = {
  readonly [Fact in Exclude<keyof ServiceFailure, keyof Error | 'kind' | 'with' | 'because' | 'naming' | 'advice'>]?:
    | ServiceFailure[Fact]
    | undefined;
};

export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure';
  readonly kind: FailureKind;
  /** What to do next. */
  readonly next: string | undefined;
  readonly operation: string | undefined;
  readonly status: number | undefined;
  /** The server's own words: masked, one line, shortened. */
  readonly serverText: string | undefined;
  readonly retryAfterMillis: number | undefined;
  /** The missing one. */
  readonly privilege: string | undefined;
  /** True if the request may have been carried out without a response. */
  readonly mayHaveActed: boolean;
  /** True if the same read may succeed in a moment. */
  readonly transient: boolean;
  /** True if the service itself refuses a credential that it took before: the token was revoked or has expired. */
  readonly credentialEnded: boolean;
  /** True if the server may be reachable from the remote machine that the window shows. */
  readonly mayBeReachedFromRemote: boolean;
  /** True if something in front of the server answered. It may ask for headers of its own. */
  readonly isFromGateway: boolean;
  readonly #facts: FailureFacts;

  /** @param sentence What happened and why, with a full stop. */
  constructor(kind: FailureKind, sentence: string, facts: FailureFacts = {}) {
    super(sentence);
    this.#facts = facts;
    this.kind = kind;
    this.next = facts.next;
    this.operation = facts.operation;
    this.status = facts.status;
    this.serverText = facts.serverText;
    this.retryAfterMillis = facts.retryAfterMillis;
    this.privilege = facts.privilege;
    this.mayHaveActed = facts.mayHaveActed ?? false;
    this.transient = facts.transient ?? false;
    this.credentialEnded = facts.credentialEnded ?? false;
    this.mayBeReachedFromRemote = facts.mayBeReachedFromRemote ?? false;
    this.isFromGateway = facts.isFromGateway ?? false;
  }

  /** Adds facts to a failure of the same kind. */
  with(facts: FailureFacts): ServiceFailure {
    return new ServiceFailure(this.kind, this.message, { ...this.#facts, ...facts });
  }

  /** Turns the failure into the reason for another one: "<what>: <reason>". */
  because(what: string, reason = this.message): ServiceFailure {
    return new ServiceFailure(this.kind, l10n.t('{0}: {1}', what, reason), this.#facts);
  }

  /** Names the connection that it concerns, unless its sentence does. */
  naming(connection: string): ServiceFailure {
    return hasName(this.message, connection) ? this : this.because(connection);
  }

  /** Short reason without a full stop, at most about 30 characters: "Token rejected (401)". */
  get headline(): string {
    return this.#facts.headline ?? failureHeadline(this.kind, this.status);
  }

  /** The sentence and the next step in one text. */
  get advice(): string {
    return this.next === undefined ? this.message : `${this.message} ${this.next}`;
  }
}

/** True if a text has the name as words of their own: not as part of an address, or of a longer word. */
function hasName(text: string, name: string): boolean {
  const literal = name.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}/@]|[\p{L}\p{N}][.-])${literal}(?![\p{L}\p{N}]|[.:-][\p{L}\p{N}])`,
    'u',
  ).test(text);
}

/** Wraps any thrown value. The message of a bug stays out, since it might hold anything. */
export function toServiceFailure(thrown: unknown): ServiceFailure {
  if (thrown instanceof ServiceFailure) {
    return thrown;
  }
  const kind = thrown instanceof Error ? thrown.name : typeof thrown;
  return new ServiceFailure('internal', l10n.t('Internal error in the extension ({0}).', kind), {
    next: l10n.t('Try again. If it keeps happening, report it and include the details.'),
  });
}

const MUTATIONS = new Set<string | undefined>(['createAccessToken', 'revokeAccessToken']);

/** True if a change was cancelled too late to know its outcome. A cancelled read is no news. */
export function isCancelledMutation(failure: ServiceFailure): boolean {
  return failure.kind === 'cancelled' && failure.mayHaveActed && MUTATIONS.has(failure.operation);
}

/**
 * True if the request carried a credential; `accepted` if the server took the same one last,
 * `expired` if it says itself that it has ended.
 */
export type SentCredential = boolean | 'accepted' | 'expired';

/** One for each kind: at most about 30 characters, no full stop. */
const HEADLINES: Readonly<Record<FailureKind, () => string>> = {
  badRequest: () => l10n.t('Request rejected'),
  unreachable: () => l10n.t("Can't reach host"),
  tls: () => l10n.t('No secure connection'),
  timedOut: () => l10n.t('Timed out'),
  cancelled: () => l10n.t('Canceled'),
  signedOut: () => l10n.t('Token rejected'),
  refused: () => l10n.t('Not allowed'),
  notFound: () => l10n.t('Not found'),
  throttled: () => l10n.t('Too many requests'),
  unavailable: () => l10n.t('Server not ready'),
  server: () => l10n.t('Server error'),
  internal: () => l10n.t('Internal error'),
  redirected: () => l10n.t('Redirected'),
  unexpectedAnswer: () => l10n.t('Unexpected response'),
  tooLarge: () => l10n.t('Response too large'),
  invalidDocument: () => l10n.t('Not supported by the server'),
  unsupported: () => l10n.t('Not supported by the server'),
  storage: () => l10n.t('Storage error'),
  readOnly: () => l10n.t('Read-only'),
  notSent: () => l10n.t('Not sent'),
};

/**
 * "Token rejected (401)".
 * @param status HTTP status. GraphQL failures come with 200, a number not worth looking up.
 */
function failureHeadline(kind: FailureKind, status: number | undefined): string {
  const headline = HEADLINES[kind]();
  return status === undefined || status < 400 ? headline : l10n.t('{0} ({1})', headline, status);
}

/** The sentence, followed by what the server said. */
export function withServerText(sentence: string, serverText = ''): string {
  return serverText === '' ? sentence : `${sentence} ${l10n.t('Server response: {0}', asSentence(serverText))}`;
}

export function cancelledFailure(operation?: ServerOperation): ServiceFailure {
  return new ServiceFailure('cancelled', l10n.t('Canceled.'), { operation: operation?.name });
}

/** For a change through a read-only connection. */
export function readOnlyFailure(): ServiceFailure {
  return new ServiceFailure('readOnly', l10n.t('This connection is read-only. Nothing was sent.'), {
    next: l10n.t('To allow changes, use "Edit Connection" and choose another role.'),
  });
}

/** Failure of a change whose connection was removed, signed in or out, or led to another server meanwhile. */
export function connectionChanged(): ServiceFailure {
  return new ServiceFailure(
    'notSent',
    l10n.t('The connection was changed or removed in the meantime, so nothing was sent.'),
    { next: l10n.t('Try again.') },
  );
}

/** Failure of a change that waited for a proxy, a keychain or a sleeping machine. */
export function sentTooLate(): ServiceFailure {
  return new ServiceFailure('notSent', l10n.t('Preparing the request took too long, so nothing was sent.'), {
    next: l10n.t('Try again.'),
  });
}

/** For a credential whose end has passed. Nothing was sent with it, or the server refused it. */
export function expiredFailure(): ServiceFailure {
  return new ServiceFailure('signedOut', l10n.t('The access token has expired.'), {
    headline: l10n.t('Token expired'),
    next: l10n.t('Sign in with another access token.'),
  });
}

/** For status 200 with a body that breaks the interface. */
export function unexpectedResponse(operation: ServerOperation, serverText?: string): ServiceFailure {
  return new ServiceFailure(
    'unexpectedAnswer',
    l10n.t('Unexpected response to "{0}". This may not be a metadata service.', operation.name),
    {
      operation: operation.name,
      serverText,
      mayHaveActed: true,
      next: l10n.t("Check that the address is the service's own, not that of a proxy or sign-in page."),
    },
  );
}
