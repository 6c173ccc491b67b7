import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { digestOf, fillOnce } from '../host/vscode/install.ts';
import { MissingPrerequisite } from '../../tools/run/missingPrerequisite.ts';

const run = promisify(execFile);

const DEFINITION = fileURLToPath(new URL('opensearch', import.meta.url));

const COPY_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';

/** Commands that must be on the PATH. */
const TOOLS = { java: 'a JDK, 17 or later', javac: 'a JDK, 17 or later', mvn: 'Maven' };

/**
 * Class path of OpenSearch and of `SearchNode`, from its published packages. Fetched and compiled once.
 *
 * @throws MissingPrerequisite
 */
export async function openSearchClassPath(): Promise<string> {
  requireTools();
  const [pom, launcher] = [join(DEFINITION, 'pom.xml'), join(DEFINITION, 'SearchNode.java')];
  const folder = await fillOnce(
    `opensearch-${digestOf(await readFile(pom), await readFile(launcher))}`,
    async (partial) => {
      console.log('Fetching OpenSearch with Maven, once…');
      const jars = join(partial, 'jars');
      await tool('mvn', ['--batch-mode', '--quiet', '--file', pom, COPY_DEPENDENCIES, `-DoutputDirectory=${jars}`]);
      await tool('javac', ['-cp', join(jars, '*'), '-d', join(partial, 'classes'), launcher]);
    },
  );
  return [join(folder, 'classes'), join(folder, 'jars', '*')].join(delimiter);
}

function requireTools(): void {
  const missing = Object.entries(TOOLS).flatMap(([command, title]) => (isOnPath(command) ? [] : [title]));
  if (missing.length > 0) {
    throw new MissingPrerequisite(
      `A search cluster needs ${[...new Set(missing)].join(' and ')}. ` +
        'Install what is missing, or name a running cluster in SEARCH_CLUSTER.',
    );
  }
}

function isOnPath(command: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => ['', '.exe', '.cmd'].some((end) => existsSync(join(folder, command + end))));
}

async function tool(command: string, toolArguments: readonly string[]): Promise<void> {
  // Windows runs Maven's command, a script, only in a shell.
  await run(command, toolArguments, { shell: process.platform === 'win32', maxBuffer: 10_000_000 });
}
