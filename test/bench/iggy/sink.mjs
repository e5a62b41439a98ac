// node sink.mjs <port>: answers every frame of the binary protocol with "ok". Fast, so that the relay decides the speed.
import { createServer } from 'node:net';

const server = createServer({ noDelay: true }, (socket) => {
  let header = Buffer.alloc(0);
  let left = 0;
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    let answers = 0;
    let at = 0;
    while (at < chunk.length) {
      if (left > 0) {
        const taken = Math.min(left, chunk.length - at);
        left -= taken;
        at += taken;
        if (left === 0) answers += 1;
        continue;
      }
      const missing = 4 - header.length;
      header = Buffer.concat([header, chunk.subarray(at, at + missing)]);
      at = Math.min(chunk.length, at + missing);
      if (header.length < 4) break;
      left = header.readUInt32LE(0);
      header = Buffer.alloc(0);
    }
    if (answers > 0) socket.write(Buffer.alloc(8 * answers));
  });
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('open'));
