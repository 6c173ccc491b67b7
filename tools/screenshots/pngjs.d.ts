/** The part of pngjs that is used here. */
declare module 'pngjs' {
  export const PNG: {
    readonly sync: {
      /** Pixels row by row, four bytes each: red, green, blue and alpha. */
      read(file: Buffer): { readonly width: number; readonly height: number; readonly data: Buffer };
    };
  };
}
