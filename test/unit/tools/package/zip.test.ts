import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipContent, zipEntries } from '../../../../tools/package/zip.ts';

// Made with Python's zipfile: two deflated entries, and a comment that includes the signature of an end record.
const ARCHIVE = Buffer.from(
  'UEsDBBQAAAAIAFg+dV1ps4GeDgAAAAwAAAAWAAAAZXh0ZW5zaW9uL3BhY2thZ2UuanNvbqtWykvMTVWyUqpQqgUAUEsDBBQAAAgIAFg+dV0D2jiaCwAAAOgDAAAV' +
    'AAAAZXh0ZW5zaW9uL2dyw7zDn2UudHh0S0wcBaNgFAx3AABQSwECFAMUAAAACABYPnVdabOBng4AAAAMAAAAFgAAAAAAAAAAAAAAgAEAAAAAZXh0ZW5zaW9uL3Bh' +
    'Y2thZ2UuanNvblBLAQIUAxQAAAgIAFg+dV0D2jiaCwAAAOgDAAAVAAAAAAAAAAAAAACAAUIAAABleHRlbnNpb24vZ3LDvMOfZS50eHRQSwUGAAAAAAIAAgCHAAAA' +
    'gAAAACUAYSBjb21tZW50IFBLBQYgdGhhdCBsb29rcyBsaWtlIGFuIGVuZA==',
  'base64',
);

test('lists the entries of an archive with their sizes', () => {
  assert.deepEqual(zipEntries(ARCHIVE), [
    { name: 'extension/package.json', compressedBytes: 14, bytes: 12 },
    { name: 'extension/grüße.txt', compressedBytes: 11, bytes: 1000 },
  ]);
});

test('reads a file of an archive', () => {
  assert.equal(zipContent(ARCHIVE, 'extension/package.json').toString(), '{"name":"x"}');
  assert.equal(zipContent(ARCHIVE, 'extension/grüße.txt').length, 1000);
  assert.throws(() => zipContent(ARCHIVE, 'extension/none.txt'), /no extension\/none\.txt/);
});

test('reports bytes that are not an archive', () => {
  assert.throws(() => zipEntries(Buffer.from('not an archive, though long enough to hold one')), /no ZIP archive/);
  assert.throws(() => zipEntries(Buffer.alloc(0)), /no ZIP archive/);
  assert.throws(() => zipEntries(ARCHIVE.subarray(0, -1)), /no ZIP archive/);
});

test('reports a broken directory', () => {
  const broken = Buffer.from(ARCHIVE);
  broken.writeUInt32LE(0, broken.indexOf('PK\u0001\u0002'));
  assert.throws(() => zipEntries(broken), /directory of the archive is broken/);
});
