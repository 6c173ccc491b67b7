// npm run package: builds and checks the .vsix. With -- --baseContentUrl URL --baseImagesUrl URL its README has
// pictures and links.
import { relative } from 'node:path';
import { root } from '../paths.ts';
import { buildPackage } from './build.ts';
import { publicAddress } from './publicAddress.ts';

try {
  const { file, bytes, files } = await buildPackage(publicAddress(process.argv.slice(2)));
  console.log(`${relative(root, file)}: ${files} files, ${bytes.toLocaleString('en')} bytes`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
