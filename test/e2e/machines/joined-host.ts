import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname as nameOfThisHost, networkInterfaces, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connect, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import type { MachineId } from '@libs/domain';
import { MachineCommands } from '@libs/operator';
import { eventually, nodeProcesses, type NodeProcess, type TestCloud } from '@libs/testing';

const AGENT = resolve('dist/libs/host/src/machine/machine.main.js');
const MEMORY_MIB = 4_096;
const DISK_GIB = 100;

/** An address of this host that is not the loopback. The start refuses the loopback for machines. Null: there is none. */
export const HOST_ADDRESS =
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null;

/** TLS in front of the gateway, on an address that other hosts can reach. */
export class TlsEntrance {
  private constructor(
    readonly port: number,
    private readonly server: Server,
    private readonly target: { port: number },
  ) {}

  static async open(certificate: { cert: string; key: string }): Promise<TlsEntrance> {
    const target = { port: 0 };
    const server = createTlsServer(certificate, (socket) => {
      const inner = connect(target.port, '127.0.0.1');
      socket.pipe(inner).pipe(socket);
      for (const end of [socket, inner]) end.on('error', () => void [socket.destroy(), inner.destroy()]);
    });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    return new TlsEntrance((server.address() as { port: number }).port, server, target);
  }

  leadTo(port: number): void {
    this.target.port = port;
  }

  close(): void {
    this.server.close();
  }
}

/** A host that joined as a machine: a directory and the machine agent as a real process, which keeps nodes as processes. */
export class JoinedHost {
  private agent: ChildProcess | null = null;

  private constructor(
    private readonly cloud: TestCloud,
    readonly directory: string,
    readonly id: MachineId,
    readonly zone: string,
    readonly hostname = nameOfThisHost(),
  ) {}

  static async join(cloud: TestCloud, zone: string, entrance: { url: string; caFile: string }): Promise<JoinedHost> {
    const directory = await mkdtemp(join(tmpdir(), 'landlord-host-'));
    const token = await cloud.asOperator(async (session) => {
      const machines = new MachineCommands(session);
      const place = await machines.choosePlace({ region: 'us-east-1', zone });
      return (await machines.issueToken(place, 5)).token;
    });
    const file = {
      ...{ agent_url: entrance.url, token, nodes: 'processes', ca_file: entrance.caFile },
      ...{ memory_mib: MEMORY_MIB, disk_gib: DISK_GIB, address: HOST_ADDRESS },
    };
    await writeFile(join(directory, 'machine.json'), JSON.stringify(file), { mode: 0o600 });
    const before = await idsOf(cloud);
    const started = startAgent(directory, entrance.caFile);
    const id = await eventually('the host has joined', async () =>
      (await idsOf(cloud)).find((one) => !before.includes(one)),
    );
    const host = new JoinedHost(cloud, directory, id, zone);
    host.agent = started;
    await host.reports();
    return host;
  }

  /** Waits for a status of the machine. */
  async reports(): Promise<void> {
    await eventually('the machine reports', async () => {
      const [row] = await this.cloud.rows<{ seen: boolean }>(
        `select last_seen_at > now() - interval '20 seconds' as seen from machines where id = $1`,
        [this.id],
      );
      return row?.seen || null;
    });
  }

  /** Ends the machine agent at once. Its nodes continue. */
  async kill(): Promise<void> {
    const { agent } = this;
    this.agent = null;
    if (agent === null || agent.exitCode !== null) return;
    const ended = once(agent, 'exit');
    agent.kill('SIGKILL');
    await ended;
  }

  start(caFile: string): void {
    this.agent = startAgent(this.directory, caFile);
  }

  /** The processes of its nodes. */
  async processes(): Promise<NodeProcess[]> {
    const all = await nodeProcesses(this.cloud.installation.installation);
    return all.filter(({ command }) => command.includes(this.directory));
  }

  /** Ends everything on the host at once, as a loss of power does. Its files stay. */
  async dies(): Promise<void> {
    await this.kill();
    await eventually('no process of the host is left', async () => {
      const found = await this.processes();
      for (const { pid } of found) process.kill(pid, 'SIGKILL');
      return found.length === 0 || null;
    });
  }

  async destroy(): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Ends the machine agent of a directory that another process has started. */
export async function endAgentOf(directory: string): Promise<void> {
  await eventually('the machine agent has ended', async () => {
    const found = await pidsWith(`machine.main.js --dir ${directory}`);
    for (const pid of found) process.kill(pid, 'SIGKILL');
    return found.length === 0;
  });
}

async function pidsWith(text: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,args=']);
  const lines = stdout.split('\n').filter((line) => line.includes(text));
  return lines.map((line) => Number.parseInt(line, 10));
}

const idsOf = async (cloud: TestCloud): Promise<MachineId[]> =>
  (await cloud.rows<{ id: MachineId }>('select id from machines')).map(({ id }) => Number(id));

function startAgent(directory: string, caFile: string): ChildProcess {
  const log = openSync(join(directory, 'agent.log'), 'a');
  return spawn(process.execPath, [AGENT, '--dir', directory], {
    env: { NODE_EXTRA_CA_CERTS: caFile },
    stdio: ['ignore', log, log],
  });
}
