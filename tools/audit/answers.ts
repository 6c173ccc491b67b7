import { isRecord, parseJson } from '../json.ts';

/** Answer to a question about the installed packages. */
export type AuditAnswer =
  | { readonly reached: false; readonly reason: string }
  | { readonly reached: true; readonly faults: readonly string[]; readonly remarks: readonly string[] };

type LockPackages = Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>>;

/**
 * Reads what `npm audit --json` says. A known vulnerability is a fault if it is in a package that the extension depends
 * on, since its code ships; in a tool it is a remark, since a tool never runs on a user's machine.
 *
 * @param packages of the lock file, by path
 */
export function vulnerabilities(output: string, packages: LockPackages): AuditAnswer {
  const answer = parseJson(output);
  if (!isRecord(answer) || !isRecord(answer['vulnerabilities'])) return unreached(answer);
  const found = Object.values(answer['vulnerabilities']).filter(isRecord);
  const lines = found.map((one) => ({ line: vulnerabilityLine(one), ships: pathsOf(one).some(isShipped) }));
  return {
    reached: true,
    faults: lines.flatMap(({ line, ships }) => (ships ? [line] : [])),
    remarks: lines.flatMap(({ line, ships }) => (ships ? [] : [line])),
  };

  function isShipped(path: string): boolean {
    const { dev, optional } = packages[path] ?? {};
    return dev !== true && optional !== true;
  }
}

/** Reads what `npm audit signatures --json` says. Each package without a valid signature of the registry is a fault. */
export function signatures(output: string): AuditAnswer {
  const answer = parseJson(output);
  if (!isRecord(answer) || !Array.isArray(answer['invalid']) || !Array.isArray(answer['missing']))
    return unreached(answer);
  const faults = (kind: string): string[] =>
    (answer[kind] as unknown[])
      .filter(isRecord)
      .map(({ name, version }) => `${oneLine(name)} ${oneLine(version)}: ${kind} signature`);
  return { reached: true, faults: [...faults('invalid'), ...faults('missing')], remarks: [] };
}

function unreached(answer: unknown): AuditAnswer {
  const { message, error } = isRecord(answer) ? answer : {};
  const summary = isRecord(error) ? error['summary'] : undefined;
  return { reached: false, reason: oneLine(message) || oneLine(summary) || 'npm gave no answer' };
}

/** Treats a package without a path as shipped. */
function pathsOf({ nodes }: Readonly<Record<string, unknown>>): string[] {
  const paths = Array.isArray(nodes) ? nodes.filter((path) => typeof path === 'string') : [];
  return paths.length > 0 ? paths : [''];
}

function vulnerabilityLine({ name, severity, range, via }: Readonly<Record<string, unknown>>): string {
  const titles = (Array.isArray(via) ? via : []).map((cause) => oneLine(isRecord(cause) ? cause['title'] : cause));
  const versions = [oneLine(name), oneLine(range)].filter(Boolean).join(' ');
  return `${versions} (${oneLine(severity)}): ${titles.join('; ')}`;
}

/** Foreign text on one line, since a line that begins with `::` is a command to GitHub Actions. */
function oneLine(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/[\p{C}\s]+/gu, ' ').trim() : '';
}
