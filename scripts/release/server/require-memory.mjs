// Ends this process if it may use too little memory. The npm package imports this before a start, and the image runs it.
// Counts what the process may ever use, not what is free: the cache of files is never free in a container.
import { totalmem } from 'node:os';

/** With 320 MiB the system kills an app when the first node starts. PostgreSQL, both apps and one node take 270 MiB beside the cache of files. */
const LEAST_MIB = 512;
/** As docs/failed-starts.md says: a person must change something first. */
const EXIT_CHANGE = 78;

const most = Math.floor(Math.min(totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20);
if (most < LEAST_MIB) {
  console.error(
    `Landlord needs ${LEAST_MIB} MiB of memory, and may use ${most} MiB here. Raise the limit, or use another machine.`,
  );
  process.exit(EXIT_CHANGE);
}
