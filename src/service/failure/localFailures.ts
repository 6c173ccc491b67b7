/** Failures that no server reports. */
import * as l10n from '@vscode/l10n';
import { ServiceFailure, type ServerOperation } from './failure.ts';

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
  return new ServiceFailure(
    'notSent',
    l10n.t('It took too long before the request could be sent, so nothing was sent.'),
    {
      next: l10n.t('Try again.'),
    },
  );
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
