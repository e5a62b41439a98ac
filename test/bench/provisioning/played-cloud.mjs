// A cloud in memory whose resources are active at once. Its nodes are agents in this process: they register, poll and
// report through the real gateway, and report a running broker.
import { createHash, randomBytes } from 'node:crypto';
import { FakeCloud } from '../../../dist/test/bench/fake-cloud.mjs';
import { Connection } from '../agents/connection.mjs';
import { SimulatedAgent } from '../agents/simulated-agent.mjs';

const QUIET = { received() {}, reported() {}, refused: complain, failed: complain };

export class PlayedCloud extends FakeCloud {
  #agents = new Map();

  constructor(gatewayPort) {
    super();
    this.gatewayPort = gatewayPort;
  }

  async ensure(kind, ref, spec, tags) {
    await super.ensure(kind, ref, spec, tags);
    if (kind === 'node' && !this.#agents.has(ref.name)) {
      this.#agents.set(ref.name, null);
      this.#start(ref.name, spec).catch((error) => complain('start', error));
    }
    // Active at the second call, so this cloud adds no waiting time.
    return super.ensure(kind, ref, spec, tags);
  }

  async #start(name, { node_id, token }) {
    const secret = randomBytes(24).toString('base64url');
    const body = JSON.stringify({
      node_id,
      token,
      credential_hash: createHash('sha256').update(secret).digest('hex'),
      agent_version: '0.1.0',
      boot_id: `boot-${node_id}`,
    });
    const calls = new Connection(this.gatewayPort);
    const { status, body: answer } = await calls.request(
      `POST /agent/v1/register HTTP/1.1\r\nhost: gateway\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    calls.close();
    if (status !== 200) return complain('register', status);
    const node = { id: node_id, secret, epoch: JSON.parse(answer).epoch };
    const agent = new SimulatedAgent(node, { port: this.gatewayPort, index: 0, keepsBoth: true, tally: QUIET });
    this.#agents.set(name, agent);
    agent.reportIn(0);
    void agent.poll();
  }
}

function complain(what, why) {
  process.stderr.write(`played agent: ${what} ${why ?? ''}\n`);
}
