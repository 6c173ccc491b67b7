/** Patterns of links and icons that VS Code renders, from the code of the running VS Code. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Expression for `[label](address "title")` with addresses that may be commands: the label, the address. */
const LINK =
  /\/(\\\[\(\[\^\\\]\]\+\)\\\]\\\(\(\(\?:(?:\\.|[^/\n])*?command:(?:\\.|\[(?:\\.|[^\]])*\]|[^/\n])*)\/([a-z]*)/;
/** Expression for labels with icons, and its two parts. */
const ICON =
  /new RegExp\(`(\(\\\\\\\\\)\?\\\\\$\\\\\(\(\$\{[\w$.]+\.iconNameExpression\}\(\?:\$\{[\w$.]+\.iconModifierExpression\}\)\?\)\\\\\))`,\s*["']g["']\)/;
const PART = /\.(iconNameExpression|iconModifierExpression)\s*=\s*["']([^"']+)["']/g;

export interface Drawn {
  /** Matches each link of a message. */
  readonly link: RegExp;
  /** Matches each `$(icon)` of a label. The first group is a backslash that escapes it. */
  readonly icon: RegExp;
}

/** @param appRoot installation folder of VS Code: `vscode.env.appRoot` */
export function drawnByVSCode(appRoot: string): Drawn {
  const folder = join(appRoot, 'out');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /workbench[\w.]*\.js$/.test(name),
  );
  for (const file of files) {
    const code = readFileSync(join(folder, file), 'utf8');
    const [, link, flags] = LINK.exec(code) ?? [];
    const [, icon] = ICON.exec(code) ?? [];
    if (link !== undefined && icon !== undefined) {
      return { link: new RegExp(link, flags), icon: new RegExp(iconSource(code, icon), 'g') };
    }
  }
  return assert.fail(
    `No workbench was found below ${folder}, or it finds links and icons in another way: ${files.join(', ')}`,
  );
}

function iconSource(code: string, template: string): string {
  const parts = new Map(Array.from(code.matchAll(PART), ([, name, source]) => [name, source]));
  // Text of a template literal, unescaped, with inserted parts.
  return template
    .replaceAll('\\\\', '\\')
    .replace(/\$\{[\w$.]+\.(\w+)\}/g, (_, name: string) => parts.get(name) ?? assert.fail(`no ${name}`));
}
