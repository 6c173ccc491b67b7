/** esbuild bundles the imported style sheets of each page. */
declare module '*.css';
