import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Makes a server of VS Code know a display language, without any of VS Code's own texts in it: those stay English, and every text
 * in the language is an extension's. To be called before the server starts, which then takes `--locale`.
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
