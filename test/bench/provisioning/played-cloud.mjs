// A cloud in memory whose resources are active at once. Each node is a simulated agent in this process, which registers,
// polls and reports through the real gateway, and reports a running broker.
import { createHash, randomBytes } from 'node:crypto';
import { AGENT_VERSION } from '../../../dist/libs/host/src/node/agent-version.js';
import { FakeCloud } from '../../../dist/test/bench/fake-cloud.mjs';
import { Connection } from '../agents/connection.mjs';
import { SimulatedAgent } from '../agents/simulated-agent.mjs';

const REGISTER_AGAIN_MS = 1_000;
const COMPLAINING = { received() {}, reported() {}, refused: complain, failed: complain };

export class PlayedCloud extends FakeCloud {
  #agents = new Map();
  #tally;

  /** `tally` is told what the agents do. By default it writes refusals and failures to stderr. */
  constructor(gatewayPort, tally = COMPLAINING) {
    super();
    this.gatewayPort = gatewayPort;
    this.#tally = tally;
  }

  async ensure(kind, ref, spec, tags) {
    await super.ensure(kind, ref, spec, tags);
    if (kind === 'node' && !this.#agents.has(ref.name)) {
      const agent = { isDestroyed: false };
      this.#agents.set(ref.name, agent);
      void this.#start(agent, spec);
    }
    // Active at the second call, so this cloud adds no waiting time.
    const resource = await super.ensure(kind, ref, spec, tags);
    // A long run must not keep a record of every call.
    this.calls.length = 0;
    this.creations.length = 0;
    return resource;
  }

  async destroy(kind, ref) {
    await super.destroy(kind, ref);
    this.specs.delete(ref.name);
    const agent = this.#agents.get(ref.name);
    if (!agent) return;
    agent.isDestroyed = true;
    agent.simulated?.close();
    this.#agents.delete(ref.name);
  }

  /** Registers with one secret until a gateway answers: a kill can lose the answer. */
  async #start(agent, { node_id, token }) {
    const secret = randomBytes(24).toString('base64url');
    const credential_hash = createHash('sha256').update(secret).digest('hex');
    const registration = { node_id, token, credential_hash, agent_version: AGENT_VERSION, boot_id: `boot-${node_id}` };
    for (;;) {
      if (agent.isDestroyed) return;
      const answer = await register(this.gatewayPort, JSON.stringify(registration));
      if (answer?.status === 200 && !agent.isDestroyed) {
        const node = { id: node_id, secret, epoch: JSON.parse(answer.body).epoch };
        const options = { port: this.gatewayPort, index: 0, keepsBoth: true, tally: this.#tally };
        agent.simulated = new SimulatedAgent(node, options);
        agent.simulated.reportIn(0);
        return agent.simulated.poll();
      }
      this.#tally.refused('register', answer?.status);
      await new Promise((later) => setTimeout(later, REGISTER_AGAIN_MS));
    }
  }
}

async function register(port, body) {
  const connection = new Connection(port);
  const head = `host: gateway\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  const request = `POST /agent/v1/register HTTP/1.1\r\n${head}\r\n\r\n${body}`;
  try {
    return await connection.request(request);
  } catch {
    return null;
  } finally {
    connection.close();
  }
}

function complain(what, why) {
  process.stderr.write(`played agent: ${what} ${why ?? ''}\n`);
}
