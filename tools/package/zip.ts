import { inflateRawSync } from 'node:zlib';

/** A file inside a ZIP archive. */
export type ZipEntry = { readonly name: string; readonly compressedBytes: number; readonly bytes: number };

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER_BYTES = 30;
const DEFLATED = 8;
const END_RECORD_BYTES = 22;
const ENTRY_BYTES = 46;

/**
 * Lists the files of a ZIP archive from its central directory (PKWARE APPNOTE 4.3). No ZIP64: an extension is far
 * from 4 GB.
 *
 * @throws if the bytes are not such an archive
 */
export function zipEntries(archive: Buffer): ZipEntry[] {
  return directory(archive).map(({ name, compressedBytes, bytes }) => ({ name, compressedBytes, bytes }));
}

/**
 * The content of a file in a ZIP archive.
 *
 * @throws if the bytes are not such an archive, or it doesn't have the file
 */
export function zipContent(archive: Buffer, name: string): Buffer {
  const found = directory(archive).find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`The archive has no ${name}.`);
  const { header, compressedBytes, method } = found;
  const start = header + LOCAL_HEADER_BYTES + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const content = archive.subarray(start, start + compressedBytes);
  return method === DEFLATED ? inflateRawSync(content) : content;
}

/** An entry with the position of its local header. */
type DirectoryEntry = ZipEntry & { readonly header: number; readonly method: number };

function directory(archive: Buffer): DirectoryEntry[] {
  const end = findEndRecord(archive);
  const count = archive.readUInt16LE(end + 10);
  const entries: DirectoryEntry[] = [];
  let position = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (archive.readUInt32LE(position) !== DIRECTORY_ENTRY) throw new Error('The directory of the archive is broken.');
    const nameBytes = archive.readUInt16LE(position + 28);
    const rest = archive.readUInt16LE(position + 30) + archive.readUInt16LE(position + 32);
    entries.push({
      name: archive.toString('utf8', position + ENTRY_BYTES, position + ENTRY_BYTES + nameBytes),
      compressedBytes: archive.readUInt32LE(position + 20),
      bytes: archive.readUInt32LE(position + 24),
      header: archive.readUInt32LE(position + 42),
      method: archive.readUInt16LE(position + 10),
    });
    position += ENTRY_BYTES + nameBytes + rest;
  }
  return entries;
}

/** The end record comes last, before a comment of variable length, so search backwards. */
function findEndRecord(archive: Buffer): number {
  for (let position = archive.length - END_RECORD_BYTES; position >= 0; position -= 1) {
    const isRecord = archive.readUInt32LE(position) === END_OF_DIRECTORY;
    if (isRecord && position + END_RECORD_BYTES + archive.readUInt16LE(position + 20) === archive.length)
      return position;
  }
  throw new Error('This is no ZIP archive.');
}
