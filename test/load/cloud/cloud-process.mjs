// The cloud of the load story, in a process of its own: its resources and agents outlive a killed Supervisor.
import { createServer } from 'node:http';
import { PlayedCloud } from '../../bench/provisioning/played-cloud.mjs';
import { balanceGateways } from './gateway-balancer.mjs';

/** A killed Supervisor refuses its agents, so refusals are expected. */
const QUIET = { received() {}, reported() {}, refused() {}, failed() {} };

const { CLOUD_PORT, BALANCER_PORT, GATEWAY_PORTS } = process.env;
await balanceGateways(Number(BALANCER_PORT), GATEWAY_PORTS.split(',').map(Number));
const cloud = new PlayedCloud(Number(BALANCER_PORT), QUIET);

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (request.method === 'GET') return response.end();
  const { call, values } = JSON.parse(Buffer.concat(chunks).toString());
  try {
    const result = await cloud[call](...values);
    response.end(JSON.stringify(result instanceof Map ? [...result] : (result ?? null)));
  } catch (error) {
    response.writeHead(500).end(String(error.stack));
  }
});
server.listen(Number(CLOUD_PORT), '127.0.0.1');
