// npm run package: builds and checks the .vsix, and writes its SHA-256 and its bill of materials beside it. With
// -- --baseContentUrl URL --baseImagesUrl URL its README has pictures and links; --repository, --bugs, --homepage and
// --qna are the links of its page.
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { root } from '../paths.ts';
import { billFile, buildPackage, checksumFile } from './build.ts';
import { packageOptions } from './options.ts';
import { billOfMaterials } from './sbom.ts';
import { verification } from './verification.ts';

try {
  const args = process.argv.slice(2);
  const options = packageOptions(args);
  const { file, sha256, bytes, files, bundled, date } = await buildPackage(options);
  const name = basename(file);
  console.log(`${name}: ${files} files, ${bytes.toLocaleString('en')} bytes, code of ${bundled.length} packages`);
  await writeFile(checksumFile, `${sha256}  ${name}\n`);
  const bill = await billOfMaterials(root, { name, sha256 }, bundled, date);
  await writeFile(billFile, bill);
  console.log(`\n${verification(name, sha256, options.links, args)}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
