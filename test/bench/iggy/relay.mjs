// node relay.mjs <gate|pipe> <port of the sink>: relays connections to the sink, as the gate of iggy does or as bare
// sockets. Prints its port.
import { connect, createServer } from 'node:net';
import { Gate } from '../../../dist/libs/host/src/gate/gate.js';
import { BrokerConnections } from '../../../dist/libs/host/src/gate/broker-connections.js';
import { ClientLogins } from '../../../dist/libs/host/src/gate/logins/client-logins.js';
import { LoginRefusals } from '../../../dist/libs/host/src/gate/logins/login-refusals.js';
import { Traffic } from '../../../dist/libs/host/src/gate/traffic.js';
import { FrameConnection } from '../../../dist/libs/host/src/brokers/iggy/gate/frame-connection.js';

const HOST = '127.0.0.1';
const [, , kind, sinkPort, ownPort] = process.argv;
const sink = { host: HOST, port: Number(sinkPort) };
await (kind === 'gate' ? openGate() : openPipe());
console.log('open');

async function openGate() {
  const credentials = { username: 'bench', password: 'bench', previous: null };
  const service = {
    logins: new ClientLogins(credentials),
    refusals: new LoginRefusals(),
    accountOf: () => ({ username: 'account', password: 'account' }),
    traffic: new Traffic(),
    rate: null,
    mayStore: () => true,
  };
  const servers = new BrokerConnections(async () => sink, 1_000);
  const gate = new Gate(1_000);
  gate.setRules([{ id: 1, cidrs: ['0.0.0.0/0'], protocols: ['tcp'], valid_to: null }], 0);
  await gate.open('tcp', { address: HOST, port: Number(ownPort), patienceMs: 30_000 }, (socket) => {
    void servers.open().then((server) => {
      new FrameConnection(socket, server, HOST, service);
      socket.resume();
    });
  });
}

function openPipe() {
  const server = createServer({ noDelay: true }, (socket) => {
    const far = connect({ ...sink, noDelay: true });
    for (const side of [socket, far]) side.on('error', () => side.destroy());
    socket.pipe(far).pipe(socket);
  });
  return new Promise((resolve) => server.listen(Number(ownPort), HOST, resolve));
}
