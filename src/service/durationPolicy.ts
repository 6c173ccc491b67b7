/** Asking a server what new tokens may last (PROTOCOL.md §5.4), where its schema says that it tells. */
import * as v from 'valibot';
import { lengthsIn } from './durationRefusal.ts';
import type { DurationPolicy } from './server/durations.ts';
import type { Operation } from './failure/failure.ts';
import type { GraphQL } from './graphql.ts';
import { isAboutQuestion } from './failure/graphqlFailure.ts';
import * as l10n from '@vscode/l10n';

const POLICY: Operation = { name: 'appConfig', doing: () => l10n.t('ask how long access tokens may last') };

export const POLICY_DOCUMENT =
  'query appConfig { appConfig { authConfig { allowNoExpiry allowedAccessTokenDurations } } }';

const TOLD = v.object({
  authConfig: v.object({
    allowNoExpiry: v.fallback(v.nullish(v.boolean()), undefined),
    allowedAccessTokenDurations: v.fallback(v.nullish(v.custom<unknown[]>(Array.isArray)), undefined),
  }),
});

/**
 * Undefined where the server does not tell after all.
 * @throws ServiceFailure when the server cannot be reached or does not accept the credential.
 */
export async function askDurationPolicy(graphql: GraphQL, signal?: AbortSignal): Promise<DurationPolicy | undefined> {
  let data: Readonly<Record<string, unknown>>;
  try {
    ({ data } = await graphql.run(POLICY, POLICY_DOCUMENT, {}, signal));
  } catch (thrown) {
    if (isAboutQuestion(thrown)) {
      return undefined;
    }
    throw thrown;
  }
  const told = v.safeParse(TOLD, data['appConfig']);
  if (!told.success) {
    return undefined;
  }
  const { allowNoExpiry, allowedAccessTokenDurations } = told.output.authConfig;
  const lengths = lengthsIn(allowedAccessTokenDurations ?? []);
  // A server that allows no length at all makes no tokens: an empty list, or one in words that are not known, says nothing.
  return { allowsNoExpiry: allowNoExpiry ?? undefined, lengths: lengths.length === 0 ? undefined : lengths };
}
