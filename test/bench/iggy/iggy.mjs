// The gate in front of iggy-server against a bare pipe of sockets: CPU of a message, and bytes per second. Both relay to
// a sink that answers each frame, because the server's own speed is not measured. With IGGY_SERVER_BIN also the time
// from the start of a node to ready, and its memory.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brokerRuntimeOf } from '../../../dist/libs/host/src/brokers/broker-runtimes.js';
import { cpuMicroseconds, residentBytes, round, stealShare, summary, verdict } from '../measure.mjs';
import { freePort } from '../free-port.mjs';

const TARGET = 0.7;
const SMALL = { bytes: 200, frames: 500_000, window: 64 };
const LARGE = { bytes: 64 * 1024, frames: 8_000, window: 64 };
const SEND_MESSAGES = 101;
const STARTS = 5;

export async function benchIggy(_world, rounds) {
  const sinkPort = await freePort();
  const children = [await aChild('sink.mjs', [sinkPort])];
  const [gate, pipe] = await Promise.all(['gate', 'pipe'].map((kind) => aRelay(kind, sinkPort)));
  children.push(gate.child, pipe.child);
  try {
    for (const relay of [gate, pipe]) await Promise.all([send(relay, SMALL), send(relay, LARGE)]);
    const steal = stealShare().now;
    const [cpu, speed] = [[], []];
    const absolute = { gate: [], pipe: [] };
    for (let turn = 0; turn < rounds; turn += 1) {
      const order = turn % 2 ? [gate, pipe] : [pipe, gate];
      const small = new Map();
      const large = new Map();
      for (const relay of order) small.set(relay, await send(relay, SMALL));
      for (const relay of order) large.set(relay, await send(relay, LARGE));
      cpu.push(small.get(pipe).cpu / small.get(gate).cpu);
      speed.push(large.get(gate).bytesPerSecond / large.get(pipe).bytesPerSecond);
      absolute.gate.push([small.get(gate).cpu / SMALL.frames, large.get(gate).bytesPerSecond]);
      absolute.pipe.push([small.get(pipe).cpu / SMALL.frames, large.get(pipe).bytesPerSecond]);
    }
    const node = await nodeFigures();
    return {
      rows: [
        row('CPU of a message of 200 bytes: a bare pipe by the gate of iggy', cpu),
        row('bytes/s in frames of 64 KiB: the gate of iggy by a bare pipe', speed),
        ...node.rows,
      ],
      detail: { cpu_us_and_bytes_per_second: medians(absolute), ...node.detail },
      steal_share: round(stealShare(steal).share, 4),
    };
  } finally {
    for (const child of children) child.kill();
  }
}

function row(name, ratios) {
  const ratio = summary(ratios);
  return { name, ...ratio, target: TARGET, verdict: verdict(ratio, TARGET) };
}

const medians = (absolute) =>
  Object.fromEntries(
    Object.entries(absolute).map(([kind, pairs]) => [
      kind,
      [0, 1].map((at) => round(summary(pairs.map((pair) => pair[at])).median, at === 0 ? 2 : 0)),
    ]),
  );

async function aRelay(kind, sinkPort) {
  const port = await freePort();
  return { port, child: await aChild('relay.mjs', [kind, sinkPort, port]) };
}

async function aChild(file, args) {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return child;
}

/** Sends frames with a window of unanswered ones. */
async function send({ port, child }, { bytes, frames, window }) {
  const frame = Buffer.alloc(bytes);
  frame.writeUInt32LE(bytes - 4, 0);
  frame.writeUInt32LE(SEND_MESSAGES, 4);
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise((resolve) => socket.once('connect', resolve));
  const [began, cpu] = [performance.now(), cpuMicroseconds(child.pid)];
  let [sent, received] = [0, 0];
  const fill = () => {
    socket.cork();
    for (; sent < frames && sent - received < window; sent += 1) socket.write(frame);
    socket.uncork();
  };
  await new Promise((resolve, reject) => {
    let answered = 0;
    socket.on('data', (chunk) => {
      answered += chunk.length;
      received = Math.floor(answered / 8);
      if (received >= frames) resolve();
      else fill();
    });
    socket.once('close', () => reject(new Error('the relay closed the connection')));
    fill();
  });
  const seconds = (performance.now() - began) / 1000;
  socket.removeAllListeners('close').destroy();
  return { cpu: cpuMicroseconds(child.pid) - cpu, bytesPerSecond: (bytes * frames) / seconds };
}

/** Time from the start of a node to ready, and its memory. Absolute values, of the server that this machine has. */
async function nodeFigures() {
  const server = process.env.IGGY_SERVER_BIN;
  if (!server) {
    process.stderr.write('Skipped: the start of a node, because IGGY_SERVER_BIN is not set.\n');
    return { rows: [], detail: {} };
  }
  const runtime = brokerRuntimeOf('iggy', { iggy: server, iggy_libraries: process.env.LD_LIBRARY_PATH });
  const [times, memory] = [[], []];
  for (let turn = 0; turn < STARTS; turn += 1) {
    const dir = mkdtempSync(join(tmpdir(), 'landlord-iggy-bench-'));
    const home = { dir, installation: 'bench', nodeId: turn + 1 };
    const spec = await aSpec(home.nodeId);
    const began = performance.now();
    await runtime.start(home, spec, gateOf(spec));
    let contact = null;
    while (!contact?.ready) {
      contact = await runtime.contact(home);
      await new Promise((wake) => setTimeout(wake, 5));
    }
    times.push((performance.now() - began) / 1000);
    memory.push(residentBytes(contact.pid) / 2 ** 20);
    await runtime.stop(home, 5_000);
    rmSync(dir, { recursive: true, force: true });
  }
  const [start, resident] = [summary(times), summary(memory)];
  return {
    rows: [
      { name: 'seconds from the first start of a node with iggy to ready', ...start, target: '', verdict: '' },
      { name: 'MiB of an idle iggy-server', ...resident, target: '', verdict: '' },
    ],
    detail: {},
  };
}

async function aSpec(nodeId) {
  const [tcp, http, websocket] = [await freePort(), await freePort(), await freePort()];
  return {
    ...{ node_id: nodeId, deployment_id: 1, name: 'node-1', access_rules: [] },
    broker: {
      ...{ driver: 'iggy', version: '0.8.0', want: 'running', restart: 0 },
      config: { id: 1, version: 1, values: {} },
    },
    listen: { address: '127.0.0.1', ports: { tcp, http, websocket, udp: null }, peer: null },
    cluster: { size: 1, ordinal: 1, leader: null, secret: 'bench' },
    credentials: { username: 'bench', password: 'bench', version: 1 },
  };
}

const gateOf = ({ credentials: { username, password } }) => ({
  ...{ rules: [], serverOffsetMs: 0, certs: null },
  credentials: { username, password, previous: null },
});
