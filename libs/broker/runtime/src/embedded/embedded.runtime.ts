import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NodeSpec } from '@libs/domain';
import { BrokerError } from '../broker-error.js';
import type { BrokerContact, BrokerExit, BrokerRuntime, GateState, RenderedBroker } from '../broker-runtime.js';
import { canonicalHash } from '../canonical-hash.js';
import { contactInstance } from '../instance-socket.js';
import { nodeFlag, type NodePlace } from '../node-place.js';
import { readFileIfAny, writePrivateFile } from '../private-file.js';
import { killProcesses } from '../process-scan.js';
import { requestJson, type SocketAnswer, type SocketRequest } from '../socket-request.js';
import { rotateLog } from '../rotate-log.js';
import type { EmbeddedConfig } from './embedded-config.js';
// Only its type, so that the broker is compiled along but never loaded into the agent.
import type { EmbeddedEntry } from './embedded.main.js';

const ENTRY: { path: string; main?: EmbeddedEntry } = {
  path: fileURLToPath(new URL('./embedded.main.js', import.meta.url)),
};
const ASK_TIMEOUT_MS = 5_000;

/** Driver `embedded`: an MQTT broker on Node with the gate inside, one process a node. See EMBEDDED_SETTINGS. */
export class EmbeddedRuntime implements BrokerRuntime {
  readonly driver = 'embedded';

  constructor(private readonly entryPath: string = ENTRY.path) {}

  dataDirectory(place: NodePlace): string {
    return join(place.dir, 'data');
  }

  logFile(place: NodePlace): string {
    return join(place.dir, 'broker.log');
  }

  users(spec: NodeSpec): string[] {
    return [spec.credentials.username];
  }

  render(place: NodePlace, spec: NodeSpec, gate: GateState, token: string): RenderedBroker {
    const { broker, listen, cluster, credentials } = spec;
    const hash = canonicalHash({ broker: { ...broker, want: 'running' }, listen, cluster, credentials });
    const config: EmbeddedConfig = {
      installation: place.installation,
      node_id: place.nodeId,
      dir: place.dir,
      data_dir: this.dataDirectory(place),
      token,
      config_hash: hash,
      listen,
      cluster,
      credentials: { username: credentials.username, password: credentials.password },
      values: broker.config.values,
      gate: { rules: gate.rules, server_offset_ms: gate.serverOffsetMs },
    };
    return { content: JSON.stringify(config), hash };
  }

  async start(place: NodePlace, spec: NodeSpec, gate: GateState) {
    await mkdir(this.dataDirectory(place), { recursive: true, mode: 0o700 });
    // The token stays: a broker that was only slow to answer must still be askable after a start in vain.
    const token = (await this.token(place)) ?? randomBytes(32).toString('hex');
    await writePrivateFile(configFile(place), this.render(place, spec, gate, token).content);
    await rotateLog(this.logFile(place));
    const log = await open(this.logFile(place), 'a', 0o600);
    try {
      const child = spawn(process.execPath, [this.entryPath, '--config', configFile(place), nodeFlag(place)], {
        cwd: place.dir,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      });
      const exited = exitOf(child);
      child.unref();
      return { pid: child.pid ?? 0, exited };
    } finally {
      await log.close();
    }
  }

  async contact(place: NodePlace): Promise<BrokerContact | null> {
    const answer = await this.ask(place, { method: 'GET', path: '/ping' });
    return answer === null ? null : toContact(answer.body as PingBody);
  }

  async applyGate(place: NodePlace, gate: GateState): Promise<void> {
    const body = { rules: gate.rules, server_offset_ms: gate.serverOffsetMs };
    const answer = await this.ask(place, { method: 'PUT', path: '/rules', body });
    if (answer === null) throw new BrokerError('the broker is gone');
  }

  async stats(place: NodePlace): Promise<Record<string, number>> {
    const answer = await this.ask(place, { method: 'GET', path: '/stats' });
    return (answer?.body ?? {}) as Record<string, number>;
  }

  async stop(place: NodePlace, deadlineMs: number): Promise<void> {
    const deadline = Date.now() + deadlineMs;
    await this.ask(place, { method: 'POST', path: '/stop' }).catch(() => null);
    while (Date.now() < deadline && (await this.isHeld(place))) await new Promise((wake) => setTimeout(wake, 20));
    await this.kill(place);
  }

  async kill(place: NodePlace): Promise<void> {
    await killProcesses([nodeFlag(place), configFile(place)]);
  }

  /** Null when nothing listens. Throws BrokerError when something does, but does not answer as this node's broker. */
  private async ask(place: NodePlace, call: Omit<SocketRequest, 'token' | 'timeoutMs'>): Promise<SocketAnswer | null> {
    const token = await this.token(place);
    const contact = await contactInstance(place, 'broker');
    if (token === null || contact === null) return null;
    try {
      const answer = await requestJson(contact, { ...call, token, timeoutMs: ASK_TIMEOUT_MS });
      if (answer.status >= 300) throw new BrokerError(`the broker answered ${answer.status}`);
      return answer;
    } catch (error) {
      if (isNobody(error)) return null;
      throw error;
    }
  }

  private async token(place: NodePlace): Promise<string | null> {
    const content = await readFileIfAny(configFile(place));
    return content === null ? null : (JSON.parse(content) as EmbeddedConfig).token;
  }

  private async isHeld(place: NodePlace): Promise<boolean> {
    return this.contact(place).then(
      (contact) => contact !== null,
      () => true,
    );
  }
}

interface PingBody {
  pid: number;
  started_at: string;
  version: string;
  config_hash: string;
  gate_hash: string;
  server_offset_ms: number;
  listening: boolean;
  ready: boolean;
  reason: string | null;
}

function toContact(body: PingBody): BrokerContact {
  return {
    pid: body.pid,
    startedAt: body.started_at,
    version: body.version,
    configHash: body.config_hash,
    gateHash: body.gate_hash,
    serverOffsetMs: body.server_offset_ms,
    listening: body.listening,
    ready: body.ready,
    reason: body.reason,
  };
}

function configFile(place: NodePlace): string {
  return join(place.dir, 'broker.json');
}

function exitOf(child: ChildProcess): Promise<BrokerExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
}

/** Nobody listens there, or whoever did died while it was asked. */
function isNobody(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
}
