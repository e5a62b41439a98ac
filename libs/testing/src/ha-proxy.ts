import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePorts } from './cloud/free-ports.js';
import { eventually } from './basics/index.js';
import { skippedSuite, type Suite } from './skips.js';

const PATHS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
const PROGRAM = PATHS.map((path) => join(path, 'haproxy')).find((path) => existsSync(path)) ?? null;

/** A suite that needs a real HAProxy. On a machine without one, the suite is skipped. */
export const describeWithHaProxy: Suite =
  PROGRAM === null ? skippedSuite('haproxy is missing', 'Install it: "apt-get install haproxy"') : describe;

/** How the proxy names its clients. */
interface Backend {
  port: number;
  /** `http`: in `X-Forwarded-For`. `tcp`: in a header of the PROXY protocol, version 2. */
  mode: 'http' | 'tcp';
  /** The address of the proxy, as the backend sees it. */
  source: string;
}

/** A real HAProxy on this machine, in front of one port. */
export class HaProxy {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly directory: string,
  ) {}

  static async before({ port, mode, source }: Backend): Promise<HaProxy> {
    const [own = 0] = await freePorts(1);
    const directory = mkdtempSync(join(tmpdir(), 'landlord-haproxy-'));
    const config = join(directory, 'haproxy.cfg');
    const lines = [
      ...['global', '  maxconn 4000', 'defaults', `  mode ${mode}`],
      ...['  timeout connect 5s', '  timeout client 60s', '  timeout server 60s'],
      ...['listen proxy', `  bind 127.0.0.1:${own}`, ...(mode === 'http' ? ['  option forwardfor'] : [])],
      `  server one 127.0.0.1:${port} source ${source} ${mode === 'tcp' ? 'send-proxy-v2' : ''}`,
    ];
    writeFileSync(config, `${lines.join('\n')}\n`);
    const child = spawn(PROGRAM ?? 'haproxy', ['-db', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    let words = '';
    child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
    const proxy = new HaProxy(own, child, directory);
    await eventually(
      () => `HAProxy listens: ${words}`,
      () => listens(own),
    );
    return proxy;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode === null && this.child.kill('SIGKILL')) await ended;
    rmSync(this.directory, { recursive: true, force: true });
  }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });
