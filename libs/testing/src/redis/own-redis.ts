import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { freePorts } from '../cloud/free-ports.js';
import { eventually } from '../basics/eventually.js';
import { skippedSuite, type Suite } from '../skips.js';

const PACKAGE = resolve('.landlord/packages/redis-server');
const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu', '.'].map((folder) => join(PACKAGE, 'usr/lib', folder));

/**
 * The redis-server for tests: REDIS_SERVER_BIN, otherwise the one from `npm run queue:redis`, otherwise the one in PATH. Null
 * for none.
 */
export const REDIS_SERVER: string | null =
  [
    process.env['REDIS_SERVER_BIN'] ?? '',
    join(PACKAGE, 'usr/bin/redis-server'),
    ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'redis-server')),
  ].find((path) => path !== '' && existsSync(path)) ?? null;

/** A separate Redis without persistence for one suite. It can be emptied, killed and restarted. */
export class OwnRedis {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly directory: string,
    private readonly port: number,
  ) {}

  /** Throws when this machine has no redis-server. Check REDIS_SERVER first. */
  static async start(directory: string): Promise<OwnRedis> {
    const [port = 0] = await freePorts(1);
    const redis = new OwnRedis(directory, port);
    await redis.launch();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Deletes all data. */
  async flush(): Promise<void> {
    await this.say('FLUSHALL');
  }

  /** Kills it and starts an empty one. */
  async crash(): Promise<void> {
    await this.stop();
    await this.launch();
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((settle) => child.once('exit', settle));
    child.kill('SIGKILL');
    await ended;
  }

  private async launch(): Promise<void> {
    const options = ['--port', this.port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir'].map(
      String,
    );
    this.child = spawn(REDIS_SERVER ?? 'redis-server', [...options, this.directory], {
      stdio: 'ignore',
      env: { PATH: process.env['PATH'] ?? '', LD_LIBRARY_PATH: LIBRARIES.join(':') },
    });
    await eventually('Redis answers', () =>
      this.say('PING').then(
        () => true,
        () => false,
      ),
    );
  }

  /** Runs one command on its own connection. Resolves with the first answer. */
  private say(command: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(`${command}\r\n`));
      socket.once('data', (answer) => {
        socket.destroy();
        if (answer.toString().startsWith('+')) resolve();
        else reject(new TypeError(`Redis answers ${answer.toString()}`));
      });
      socket.once('error', reject);
    });
  }
}

/** A suite that needs a real Redis. On a machine without one, the suite is skipped. */
export const describeWithRedis: Suite =
  REDIS_SERVER === null
    ? skippedSuite('redis-server is missing', 'Run "npm run queue:redis", or set REDIS_SERVER_BIN')
    : describe;
