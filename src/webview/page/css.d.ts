/** esbuild gathers imported style sheets into `dist/wizard.css`. */
declare module '*.css';
