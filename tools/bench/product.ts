import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';

interface ExtensionManifest {
  readonly name: string;
  readonly publisher: string;
  readonly contributes: {
    readonly viewsContainers: { readonly activitybar: readonly { readonly title: string }[] };
    readonly commands: readonly { readonly command: string; readonly title: string }[];
  };
}

const manifest = readJson('package.json') as ExtensionManifest;
const words = readJson('package.nls.json') as Readonly<Record<string, string>>;

/** The measured extension, from its manifest. */
export const product = {
  id: `${manifest.publisher}.${manifest.name}`,
  containerTitle: word(manifest.contributes.viewsContainers.activitybar[0]?.title),
  /** Opens the wizard from the row of an index. */
  wizardTitle: word(
    manifest.contributes.commands.find(({ command }) => command === 'metadataService.index.truncate')?.title,
  ),
};

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(root, name), 'utf8'));
}

function word(title = ''): string {
  return title.replace(/^%(.+)%$/, (_, key: string) => words[key] ?? key);
}
