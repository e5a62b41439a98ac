// A zip whose bytes depend on the files alone.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** `files`: { path, name, mode }, in their order. `time`: seconds since 1970. */
export async function writeZip(target, files, time) {
  const zip = new ZipFile();
  for (const { path, name, mode } of files)
    zip.addFile(path, name, { mode, mtime: inEveryZone(time), forceDosTimestamp: true, compressionLevel: 9 });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(target));
}

/** A zip has the time of the local clock without a zone. This date shows the clock of UTC in the zone of this machine. */
function inEveryZone(time) {
  const utc = new Date(time * 1000);
  const day = [utc.getUTCFullYear(), utc.getUTCMonth(), utc.getUTCDate()];
  return new Date(...day, utc.getUTCHours(), utc.getUTCMinutes(), utc.getUTCSeconds());
}
