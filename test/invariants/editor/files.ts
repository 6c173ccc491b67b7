/** The used part of `node:fs/promises`. The window counts what is written, and stops writing when told to. */
import * as real from 'node:fs/promises';
import { hostOf } from './host.ts';

const host = hostOf(import.meta.url);

export const { constants } = real;

export const lstat = reading(real.lstat);
export const readdir = reading(real.readdir);
export const realpath = reading(real.realpath);
export const readFile = reading(real.readFile);
export const copyFile = writing(real.copyFile);
export const link = writing(real.link);
export const mkdir = reading(real.mkdir);
export const rename = writing(real.rename);
export const rm = writing(real.rm);
export const unlink = writing(real.unlink);

export function open(...from: Parameters<typeof real.open>): Promise<object> {
  return host.read(async () => {
    const file = await real.open(...from);
    host.machine.openFiles.add(file);
    return {
      stat: () => host.read(() => file.stat()),
      readFile: (encoding: BufferEncoding) => host.read(() => file.readFile(encoding)),
      read: (...given: Parameters<typeof file.read>) => host.read(() => file.read(...given)),
      writeFile: (text: string, encoding: BufferEncoding) =>
        host.write(() => {
          host.machine.written.push(text);
          return file.writeFile(text, encoding);
        }),
      write: (bytes: Buffer) =>
        host.write(() => {
          host.machine.written.push(bytes.toString());
          return file.write(bytes);
        }),
      // Nothing here loses what was written but not synced.
      sync: () => host.read(() => Promise.resolve()),
      close: () => {
        host.machine.openFiles.delete(file);
        return host.machine.during(() => file.close());
      },
    };
  });
}

function reading<Given extends unknown[], T>(work: (...given: Given) => Promise<T>): (...given: Given) => Promise<T> {
  return (...given) => host.read(() => work(...given));
}

function writing<Given extends unknown[], T>(work: (...given: Given) => Promise<T>): (...given: Given) => Promise<T> {
  return (...given) => host.write(() => work(...given));
}
