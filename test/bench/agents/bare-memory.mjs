// The memory of a parked connection in a bare server of node:net and of node:tls, for the comparison with the gateway.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { settledBytes } from './settled-bytes.mjs';

/** Bytes of each of `count` connections, by the kind of the server. */
export async function bareMemory(simulator, count, certificate) {
  return {
    net: await memoryOf(simulator, count, null),
    tls: await memoryOf(simulator, count, certificate),
  };
}

async function memoryOf(simulator, count, certificate) {
  const server = fork(new URL('bare-parking.mjs', import.meta.url));
  try {
    server.send(certificate);
    const [{ port }] = await once(server, 'message');
    const before = await settledBytes(server.pid);
    await simulator.park({ port, count, isTls: certificate !== null });
    const bytes = (await settledBytes(server.pid)) - before;
    await simulator.unpark();
    return bytes / count;
  } finally {
    server.kill('SIGKILL');
  }
}
