// npm run package: the .vsix, checked.
import { relative } from 'node:path';
import { root } from '../paths.ts';
import { buildPackage } from './build.ts';

try {
  const { file, bytes, files } = await buildPackage();
  console.log(`${relative(root, file)}: ${files} files, ${bytes.toLocaleString('en')} bytes`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
