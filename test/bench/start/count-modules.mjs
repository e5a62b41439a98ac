// Preloaded into each process: writes how many files of JavaScript the process has loaded, while it runs.
import { Session } from 'node:inspector';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const loaded = new Set();
const session = new Session();
session.connect();
session.on('Debugger.scriptParsed', ({ params: { url } }) => {
  if (url.startsWith('file:') && url !== import.meta.url) loaded.add(url);
});
session.post('Debugger.enable');
let written = 0;

function write() {
  if (loaded.size === written) return;
  written = loaded.size;
  const report = { entry: process.argv[1], modules: written };
  writeFileSync(join(process.env.COUNT_MODULES_IN, `${process.pid}.json`), JSON.stringify(report));
}

// An app ends by its own signal, which has no event. So the exit is not enough.
setInterval(write, 50).unref();
process.on('exit', write);
