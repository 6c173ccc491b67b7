import { statSync } from 'node:fs';
import { Session } from 'node:inspector';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadedFile } from './task.ts';

/** The files below a folder that this process has loaded as code, in any kind of module. V8 lists them. */
export async function loadedFiles(folder: string): Promise<LoadedFile[]> {
  const paths = new Set<string>();
  const session = new Session();
  session.connect();
  session.on('Debugger.scriptParsed', ({ params: { url } }) => {
    const path = url.startsWith('file:') ? fileURLToPath(url.replace(/[?#].*$/, '')) : url;
    if (path.startsWith(folder + sep)) paths.add(path);
  });
  await new Promise<void>((resolve, reject) =>
    session.post('Debugger.enable', (error) => (error ? reject(error) : resolve())),
  );
  session.disconnect();
  return [...paths].map((path) => ({ path: relative(folder, path), bytes: statSync(path).size }));
}
