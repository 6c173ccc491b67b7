/** Patterns of links and icons that VS Code draws, from the program of the running VS Code. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The expression of `[label](address "title")` for addresses that may be commands; the label, the address. */
const LINK =
  /\/(\\\[\(\[\^\\\]\]\+\)\\\]\\\(\(\(\?:(?:\\.|[^/\n])*?command:(?:\\.|\[(?:\\.|[^\]])*\]|[^/\n])*)\/([a-z]*)/;
/** The expression of labels with icons, and the two parts that it is made of. */
const ICON =
  /new RegExp\(`(\(\\\\\\\\\)\?\\\\\$\\\\\(\(\$\{[\w$.]+\.iconNameExpression\}\(\?:\$\{[\w$.]+\.iconModifierExpression\}\)\?\)\\\\\))`,\s*["']g["']\)/;
const PART = /\.(iconNameExpression|iconModifierExpression)\s*=\s*["']([^"']+)["']/g;

export interface Drawn {
  /** Matches each link of a message. */
  readonly link: RegExp;
  /** Matches each `$(icon)` of a label; the first group is a backslash that keeps it text. */
  readonly icon: RegExp;
}

/** @param appRoot Where VS Code is installed: `vscode.env.appRoot`. */
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
  // The text of a template literal: backslashes are doubled, parts are put in.
  return template
    .replaceAll('\\\\', '\\')
    .replace(/\$\{[\w$.]+\.(\w+)\}/g, (_, name: string) => parts.get(name) ?? assert.fail(`no ${name}`));
}
