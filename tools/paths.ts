import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Programs installed on first use (VS Code, a browser) and kept between runs. Git ignores it. */
export const cacheFolder = join(root, '.vscode-test');

/** Output of runs: bundles of tests, results, screenshots of failures. Git ignores it. */
export const outFolder = join(root, 'out');
