// Opens connections and holds them until its input ends: silent ones, ones with a part of a request, and ones that send a request that is
// refused. `node connection-flood.mjs <port> <connections> <seconds> <request>`. Prints `{opened, failed}` when it has opened all
// connections, or after the time, and the same with `held` at the end.
import { connect } from 'node:net';

const [, , port, connections, seconds, request] = process.argv;
// The kernel never has more of them than it accepts (`net.core.somaxconn`): a caller waits for the listener, not for the kernel.
const UNANSWERED = 256;
const BATCH = 40;
const BATCH_MS = 25;
// One of eight comes from the address of the known caller, whose network has a share like the others.
const OF_CALLER = 8;
const texts = ['', 'GET / HTTP/1.1\r\nhost: x\r\nx-slow:', request];
const held = new Set();
let opened = 0;
let unanswered = 0;
let failed = 0;

function open() {
  const localAddress = opened % OF_CALLER === 0 ? '127.0.0.1' : `127.0.1.${(opened % 40) + 1}`;
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  const text = texts[opened % texts.length];
  opened += 1;
  unanswered += 1;
  socket.on('error', () => undefined);
  socket.once('connect', () => {
    unanswered -= 1;
    held.add(socket);
    socket.write(text);
  });
  socket.on('data', () => undefined);
  socket.once('close', () => {
    if (held.delete(socket)) return;
    unanswered -= 1;
    failed += 1;
  });
}

const say = (more) => console.log(JSON.stringify({ opened, failed, ...more }));

function tell() {
  clearInterval(batches);
  clearTimeout(limit);
  say({});
}

const limit = setTimeout(tell, Number(seconds) * 1000);
const batches = setInterval(() => {
  for (let index = 0; index < BATCH && opened < Number(connections) && unanswered < UNANSWERED; index += 1) open();
  if (opened >= Number(connections) && unanswered === 0) tell();
}, BATCH_MS);

process.stdin.resume();
process.stdin.once('end', () => {
  say({ held: held.size });
  process.exit(0);
});
