/** The package has no types. */
declare module 'js-yaml' {
  export const CORE_SCHEMA: unknown;
  /** @throws YAMLException, which quotes the text. */
  export function load(text: string, options: { readonly schema: unknown; readonly json: boolean }): unknown;
}
