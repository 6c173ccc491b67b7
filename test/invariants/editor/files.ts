/** The used part of `node:fs/promises`. The window counts what is written, and stops writing when told to. */
import * as real from 'node:fs/promises';
import type { Host } from './host.ts';

type Work<Given extends unknown[], T> = (...given: Given) => Promise<T>;

export function filesOf(host: Host): object {
  const reading = <Given extends unknown[], T>(work: Work<Given, T>): Work<Given, T> => {
    return (...given) => host.read(() => work(...given));
  };
  const writing = <Given extends unknown[], T>(work: Work<Given, T>): Work<Given, T> => {
    return (...given) => host.write(() => work(...given));
  };
  return {
    constants: real.constants,
    lstat: reading(real.lstat),
    readdir: reading(real.readdir),
    realpath: reading(real.realpath),
    // Nothing draws the scripts of pages here.
    readFile: reading((path: string, encoding: BufferEncoding) =>
      /\.(js|css)$/.test(path) ? Promise.resolve('') : real.readFile(path, encoding),
    ),
    copyFile: writing(real.copyFile),
    link: writing(real.link),
    mkdir: reading(real.mkdir),
    rename: writing(real.rename),
    rm: writing(real.rm),
    unlink: writing(real.unlink),
    open: reading(async (...from: Parameters<typeof real.open>) => openFile(host, await real.open(...from))),
  };
}

function openFile(host: Host, file: real.FileHandle): object {
  const { machine } = host;
  machine.openFiles.add(file);
  return {
    writeFile: (text: string, encoding?: BufferEncoding) =>
      host.write(() => {
        machine.written.push(text);
        return file.writeFile(text, encoding);
      }),
    // Nothing here loses what was written but not synced.
    sync: () => host.read(() => Promise.resolve()),
    close: () => {
      machine.openFiles.delete(file);
      return machine.during(() => file.close());
    },
  };
}
