// A TCP load balancer before the gateways of the Supervisors: a gateway that refuses is skipped, as agents of a real
// installation see one address.
import { connect, createServer } from 'node:net';

/** Listens on `port`; each new connection goes to the next gateway that accepts. */
export function balanceGateways(port, gateways) {
  let next = 0;
  const server = createServer({ noDelay: true }, (agent) => {
    agent.on('error', () => agent.destroy());
    next += 1;
    reach(
      agent,
      gateways.map((_, index) => gateways[(next + index) % gateways.length]),
    );
  });
  return new Promise((listening) => server.listen(port, '127.0.0.1', () => listening(server)));
}

function reach(agent, [port, ...others]) {
  if (port === undefined) return agent.destroy();
  let isConnected = false;
  const gateway = connect({ port, host: '127.0.0.1', noDelay: true });
  gateway.on('connect', () => {
    isConnected = true;
    agent.pipe(gateway).pipe(agent);
  });
  gateway.on('error', () => {
    if (isConnected) agent.destroy();
    else reach(agent, others);
  });
  gateway.on('close', () => isConnected && agent.destroy());
  agent.on('close', () => gateway.destroy());
}
