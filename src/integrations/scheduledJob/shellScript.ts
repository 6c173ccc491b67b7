/** Fills in the template of the script (`media/truncate.sh`), which deletes old rows at regular times. Pure. */
import { shellSafeAddress } from '../../service/http/baseUrl.ts';
import type { JobIndex } from './jobLimits.ts';

/** The server and the indices of a job. */
interface ScheduledJob {
  readonly baseUrl: string;
  /** Path of the operations endpoint on this server. */
  readonly operationsPath: string;
  /** At least one. */
  readonly indices: readonly JobIndex[];
}

/**
 * POSIX shell, always in English, since it is a file for a server. Holds no credential. Everything but the settings is
 * copied byte for byte.
 */
export function shellScript(template: string, { baseUrl, operationsPath, indices }: ScheduledJob): string {
  const address = shellSafeAddress(baseUrl + operationsPath.replace(/\/operations$/, ''));
  const lines = indices.map(({ entityType, aspect, days, mostRows, rowsToKeep }) =>
    [entityType, aspect, days, mostRows, rowsToKeep].join(' '),
  );
  const batchSize = Math.min(...indices.map((index) => index.batchSize));
  const settings: readonly SettingLines[] = [
    { pattern: /^GMS_URL='.*'$/m, text: `GMS_URL='${quotable(address)}'` },
    { pattern: /^INDICES='\n[^']*\n'$/m, text: `INDICES='\n${quotable(lines.join('\n'))}\n'` },
    { pattern: /(?<=^STATE_DIR=.*\/\.truncate-)[\w.-]*(?=\}\}$)/m, text: stateName(baseUrl) },
    { pattern: /(?<=^BATCH_SIZE=)\d+/m, text: String(batchSize) },
  ];
  return settings.reduce(withSetting, template);
}

interface SettingLines {
  readonly pattern: RegExp;
  readonly text: string;
}

function withSetting(script: string, { pattern, text }: SettingLines): string {
  if (!pattern.test(script)) {
    throw new Error('The template lacks a setting.');
  }
  // A function, since a text could hold "$&".
  return script.replace(pattern, () => text);
}

/** Ensures once more that nothing ends the quotes. */
function quotable(text: string): string {
  if (text.includes("'")) {
    throw new Error('A setting would end its quotes.');
  }
  return text;
}

/** Distinguishes the state of jobs for several servers. No folder name may be longer than 255 characters. */
function stateName(baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl);
  return (host + pathname)
    .replace(/\/$/, '')
    .replaceAll(/[^A-Za-z0-9.-]/g, (character) => `_${character.charCodeAt(0).toString(16)}`)
    .slice(0, 200);
}
