import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Adds a display language to a server of VS Code, without translations of VS Code's own texts: every translated text
 * is an extension's. Call it before starting the server, which then takes `--locale`.
 *
 * @param userFolder of the server
 */
export async function addLanguagePack(userFolder: string, language: string): Promise<void> {
  const folder = join(userFolder, 'language-packs');
  const file = join(folder, `${language}.json`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, JSON.stringify({ '': [], version: '1.0.0', contents: {} }));
  const pack = {
    hash: `empty-${language}`,
    label: language,
    extensions: [{ extensionIdentifier: { id: `test.language-pack-${language}` }, version: '1.0.0' }],
    translations: { vscode: file },
  };
  await writeFile(join(userFolder, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}
