import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** What is installed on first use (VS Code, a browser) and kept between runs. Git ignores it. */
export const cacheFolder = join(root, '.vscode-test');

/** What runs leave behind: bundles of tests, results, screenshots of failures. Git ignores it. */
export const outFolder = join(root, 'out');
