// One of several processes that start something on a data directory at the same time: on each line of its input, and once per line.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [, , lockModule, processModule, plan] = process.argv;
const { startLocked } = await import(pathToFileURL(lockModule).href);
const { startServer } = await import(pathToFileURL(processModule).href);
const { program, place, files } = JSON.parse(plan);

console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const start = line === 'server' ? () => startServer(program, place, files) : async () => ({ pid: process.pid });
  await startLocked(place.data, start).then(
    ({ pid }) => console.log(`started ${pid}`),
    (error) => console.log(`refused ${error.message}`),
  );
}
