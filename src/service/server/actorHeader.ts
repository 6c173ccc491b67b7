/** The header that names the caller, `X-<Product>-Actor` (PROTOCOL.md §3.4). */
import * as l10n from '@vscode/l10n';

/** Neutral name of the interface description, for an unidentified server. */
export const DEFAULT_PRODUCT = 'Service';

/** Letters, digits and hyphens, as allowed in `X-<Product>-Actor`. */
const PRODUCT_NAME = /^[A-Za-z][A-Za-z0-9-]{0,39}$/;

/** Explains why a typed product name can't be part of a header; undefined if it can. */
export function productProblem(name: string): string | undefined {
  return PRODUCT_NAME.test(name.trim())
    ? undefined
    : l10n.t('Product names start with a letter and can contain letters, digits and hyphens.');
}

/** @throws TypeError for an unchecked product name, which would become a header. */
export function actorHeaderName(product: string): string {
  if (!PRODUCT_NAME.test(product)) {
    throw new TypeError('unchecked product name');
  }
  return `X-${product}-Actor`;
}
