/**
 * The one error that leaves `service/`: what happened and why in a sentence for people, and what to do next.
 * Nothing secret is in it: server text is masked and cut before it gets here (see redaction.ts).
 */
import * as l10n from '@vscode/l10n';

export type FailureKind =
  /** What was asked for is malformed; nothing was sent, or the server said so (400). */
  | 'badRequest'
  /** No connection: nobody listens, the name is unknown, no route, or the connection was cut. */
  | 'unreachable'
  | 'tls'
  | 'timedOut'
  | 'cancelled'
  /** 401: no credential, or one that is not accepted. */
  | 'signedOut'
  /** 403: a privilege is missing. */
  | 'refused'
  | 'notFound'
  /** 429. */
  | 'throttled'
  /** 502, 503, 504: something in front of the server, or the server, is not ready. */
  | 'unavailable'
  /** The server failed by itself (500, GraphQL SERVER_ERROR). */
  | 'server'
  | 'redirected'
  /** An answer that this service does not give: HTML, broken JSON, another shape. */
  | 'unexpectedAnswer'
  | 'tooLarge'
  /** A GraphQL document that this server's schema does not know: nothing was executed. */
  | 'invalidDocument'
  /** The server has no such operation. */
  | 'unsupported'
  /** SecretStorage did not give or take the credential. */
  | 'storage'
  /** The connection is read-only: a person said so, and nothing was sent. */
  | 'readOnly';

/** What was being done, for sentences: "You may not <doing>." */
export interface ServerOperation {
  /** For logs and reports: `listAccessTokens`. */
  readonly name: string;
  /** As it stands in a sentence: "list all access tokens". */
  readonly doing: () => string;
  /** The display name of the privilege that the server wants (PROTOCOL.md §6.3). */
  readonly privilege?: string;
  /**
   * Its answer may hold a secret that nobody knows yet, wherever a server may put it. What is not known cannot be masked, so no
   * text is made of anything in such an answer.
   */
  readonly answersSecret?: true;
  /** Largest answer that is read, in bytes; 1 MB unless stated. */
  readonly largestAnswerBytes?: number;
}

interface FailureFacts {
  /** In place of the one that belongs to the kind, where more is known. */
  readonly headline?: string | undefined;
  readonly next?: string | undefined;
  readonly operation?: string | undefined;
  readonly status?: number | undefined;
  /** The server's own words: masked, one line, cut. */
  readonly serverText?: string | undefined;
  readonly retryAfterMillis?: number | undefined;
  readonly privilege?: string | undefined;
  /** True when the request may have been carried out although no answer says so. */
  readonly mayHaveActed?: boolean | undefined;
  /** True when the very same read may well succeed in a moment. */
  readonly transient?: boolean | undefined;
}

export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure';
  readonly kind: FailureKind;
  readonly next: string | undefined;
  readonly operation: string | undefined;
  readonly status: number | undefined;
  readonly serverText: string | undefined;
  readonly retryAfterMillis: number | undefined;
  readonly privilege: string | undefined;
  readonly mayHaveActed: boolean;
  readonly transient: boolean;
  readonly #facts: FailureFacts;

  /** @param sentence What happened and why, ending with a full stop. */
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
  }

  /** The failure of the same kind with other facts added. */
  with(facts: FailureFacts): ServiceFailure {
    return new ServiceFailure(this.kind, this.message, { ...this.#facts, ...facts });
  }

  /** The same failure told as the reason why something did not come about: "<what>: <reason>". */
  because(what: string, reason = this.message): ServiceFailure {
    return new ServiceFailure(this.kind, `${what}: ${reason}`, this.#facts);
  }

  /** The reason in at most about 30 characters, without a full stop: "Token rejected (401)". */
  get headline(): string {
    return this.#facts.headline ?? failureHeadline(this.kind, this.status);
  }

  /** The sentence and the next step as one text. */
  get advice(): string {
    return this.next === undefined ? this.message : `${this.message} ${this.next}`;
  }
}

/** Any thrown value as a ServiceFailure. A bug of ours is told as such, without its message: that might hold anything. */
export function toServiceFailure(thrown: unknown): ServiceFailure {
  if (thrown instanceof ServiceFailure) {
    return thrown;
  }
  const kind = thrown instanceof Error ? thrown.name : typeof thrown;
  return new ServiceFailure('server', l10n.t('Internal error in the extension ({0}).', kind), {
    headline: l10n.t('Internal error'),
    next: l10n.t('Try again. If it keeps happening, report it with its details.'),
  });
}

export function cancelledFailure(operation?: ServerOperation): ServiceFailure {
  return new ServiceFailure('cancelled', l10n.t('Cancelled.'), { operation: operation?.name });
}

const CONNECTION_FAILURES: ReadonlySet<FailureKind> = new Set([
  'unreachable',
  'tls',
  'timedOut',
  'signedOut',
  'unavailable',
  'redirected',
  'storage',
]);

/** Whether any other request to this server is bound to fail in the same way: nobody is there, or no credential counts. */
export function isAboutConnection({ kind }: ServiceFailure): boolean {
  return CONNECTION_FAILURES.has(kind);
}

const MUTATIONS = new Set<string | undefined>(['createAccessToken', 'revokeAccessToken']);

/** Whether something was cancelled too late to know that it did not happen. What was only read is no news to who cancelled it. */
export function isCancelledMutation(failure: ServiceFailure): boolean {
  return failure.kind === 'cancelled' && failure.mayHaveActed && MUTATIONS.has(failure.operation);
}

/** What would change something through a connection that is read-only. */
export function readOnlyFailure(operation?: ServerOperation): ServiceFailure {
  return new ServiceFailure('readOnly', l10n.t('This connection is read-only. Nothing was sent.'), {
    operation: operation?.name,
    next: l10n.t('To allow changes, use "Set Connection Role".'),
  });
}

/** 401. */
export function signedOutFailure(
  operation: ServerOperation,
  hadCredential: boolean,
  serverText?: string,
): ServiceFailure {
  const facts = { operation: operation.name, status: 401, serverText };
  return hadCredential
    ? new ServiceFailure('signedOut', l10n.t('Access token rejected. It may have expired or been revoked.'), {
        ...facts,
        next: l10n.t('Sign in with another access token.'),
      })
    : new ServiceFailure('signedOut', l10n.t('This server requires an access token.'), {
        ...facts,
        headline: l10n.t('Sign-in required (401)'),
        next: l10n.t('Sign in to continue.'),
      });
}

/** A 200 whose body is not what the interface promises. */
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

/** One for each kind: at most about 30 characters, no full stop. */
const HEADLINES: Readonly<Record<FailureKind, () => string>> = {
  badRequest: () => l10n.t('Request rejected'),
  unreachable: () => l10n.t("Can't reach host"),
  tls: () => l10n.t('No secure connection'),
  timedOut: () => l10n.t('Timed out'),
  cancelled: () => l10n.t('Cancelled'),
  signedOut: () => l10n.t('Token rejected'),
  refused: () => l10n.t('Not allowed'),
  notFound: () => l10n.t('Not found'),
  throttled: () => l10n.t('Too many requests'),
  unavailable: () => l10n.t('Server not ready'),
  server: () => l10n.t('Server error'),
  redirected: () => l10n.t('Redirected'),
  unexpectedAnswer: () => l10n.t('Unexpected response'),
  tooLarge: () => l10n.t('Response too large'),
  invalidDocument: () => l10n.t('Not supported by the server'),
  unsupported: () => l10n.t('Not supported by the server'),
  storage: () => l10n.t('Storage error'),
  readOnly: () => l10n.t('Read-only'),
};

/**
 * "Token rejected (401)".
 * @param status Of the HTTP answer. A failure that came with a success, as GraphQL's do, has no number to look up.
 */
export function failureHeadline(kind: FailureKind, status: number | undefined): string {
  const headline = HEADLINES[kind]();
  return status === undefined || status < 400 ? headline : l10n.t('{0} ({1})', headline, status);
}
