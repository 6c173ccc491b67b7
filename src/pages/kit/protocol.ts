/** Messages that every page and its host exchange. Both sides validate them. */
import * as v from 'valibot';
import { parsedAs } from '../../json.ts';
import type { Caution } from '../../truncation/cautions.ts';
import { MAX_ITEMS } from '../../truncation/jobState.ts';
import type { ClusterRequestKind } from '../../truncation/outcome.ts';
import type { Problem } from '../../truncation/problem.ts';

/** Longest text that a page sends. */
export const TEXT = v.pipe(v.string(), v.maxLength(512));

/** Sent once a page is loaded. `timeZone` is the user's (IANA name), since the host may run elsewhere. */
export const READY = v.strictObject({ type: v.literal('ready'), timeZone: TEXT });

/** A message of nothing but its type. */
export function bare<const Type extends string>(type: Type) {
  return v.strictObject({ type: v.literal(type) });
}

/** Place of an item in its job. */
export const PLACE = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_ITEMS - 1));

/** Copies the requests about an item for an administrator. */
const COPY_REQUESTS = v.strictObject({
  type: v.literal('copyRequests'),
  place: PLACE,
  for: v.picklist(['repair', 'cancel', 'merge'] satisfies readonly ClusterRequestKind[]),
});

export type CopyRequests = v.InferOutput<typeof COPY_REQUESTS>;

/** Messages of both pages. */
export const SHARED_MESSAGES = [
  READY,
  COPY_REQUESTS,
  bare('cancel'),
  bare('execute'),
  bare('startOver'),
  bare('automate'),
  bare('receipt'),
  bare('signIn'),
  bare('copyDetails'),
] as const;

/** The connection, as every page shows it. Foreign text is ready to show. */
export interface ConnectionView {
  readonly name: string;
  readonly baseUrl: string;
  /** Set if worth a warning. */
  readonly role: { readonly kind: 'production' | 'readOnly'; readonly name: string } | undefined;
}

/** A failed request, ready to be shown. */
export interface FailureView extends Problem {
  /** Above the sentence, if it needs one. */
  readonly headline?: string;
  readonly hasDetails: boolean;
}

/** To be ticked before rows are deleted. */
export interface CautionView {
  readonly kind: Caution['kind'];
  readonly text: string;
}

/** Rows that a dry run counted. */
export interface ShownRows {
  readonly toDelete: number;
  readonly total: number;
  /** From 0 to 100. */
  readonly percent: number;
}

/** The same of what is decided on, with the size, ready to be shown. */
export interface ShownFigures extends ShownRows {
  /** Estimated, of the rows to delete, and of all. Undefined if one isn't known exactly. */
  readonly size: { readonly toDelete: string; readonly ofAll: string } | undefined;
}

/** A name with its value, ready to be shown. @template Intent What its button asks for. */
export interface Fact<Intent = never> {
  readonly name: string;
  readonly value?: string;
  /** Somebody else's words. */
  readonly quoted?: string;
  /** An ID or a request. */
  readonly code?: string;
  readonly copy?: { readonly label: string; readonly intent: Intent };
}

/** By English text, because webviews lack `vscode.l10n`. Undefined in English. */
type PageTranslations = Readonly<Record<string, string>>;

/** A message from the host to a page. */
export type HostMessage<View> =
  /** In answer to `ready`. `locale` is VS Code's display language. */
  | {
      readonly type: 'open';
      readonly translations: PageTranslations | undefined;
      readonly locale: string;
      readonly view: View;
    }
  | { readonly type: 'view'; readonly view: View };

const VIEW = v.looseObject({});
const HOST_MESSAGE = v.variant('type', [
  v.object({
    type: v.literal('open'),
    translations: v.optional(v.record(v.string(), v.string())),
    locale: v.string(),
    view: VIEW,
  }),
  v.object({ type: v.literal('view'), view: VIEW }),
]);

/** @returns undefined for anything else. */
export function parseHostMessage<View>(data: unknown): HostMessage<View> | undefined {
  return parsedAs(HOST_MESSAGE, data) as unknown as HostMessage<View> | undefined;
}
