import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../eventually.js';

const VERSION = '5.2.5';
/** In the cache folder of npm packages: it survives between runs and is not committed. */
const DIRECTORY = join(import.meta.dirname, '../../../../node_modules/.cache/moto', VERSION);
const PROGRAM = join(DIRECTORY, 'bin', 'moto_server');
const INSTALL_MS = 240_000;

/** An emulator of AWS from another project (Moto), for tests. Its credentials are any words. */
export class MotoServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly endpoint: string,
  ) {}

  /** Installs the program from its package index. Returns the reason if this is not possible. */
  static async install(): Promise<string | null> {
    if (existsSync(PROGRAM)) return null;
    if (spawnSync('python3', ['--version']).status !== 0) return 'there is no python3';
    try {
      await promisify(execFile)('python3', ['-m', 'venv', DIRECTORY]);
      const args = [
        'install',
        '--quiet',
        '--disable-pip-version-check',
        `moto[server,s3,ec2,elbv2,sts,iam,route53]==${VERSION}`,
      ];
      await promisify(execFile)(join(DIRECTORY, 'bin', 'pip'), args, { timeout: INSTALL_MS });
      return null;
    } catch (error) {
      return `it cannot be installed: ${String((error as { stderr?: string }).stderr ?? error).slice(0, 300)}`;
    }
  }

  static async start(port: number): Promise<MotoServer> {
    const child = spawn(PROGRAM, ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
    const server = new MotoServer(child, `http://127.0.0.1:${port}`);
    await eventually('moto answers', () =>
      fetch(server.endpoint).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return server;
  }

  /** Deletes everything in all accounts. */
  async reset(): Promise<void> {
    await fetch(`${this.endpoint}/moto-api/reset`, { method: 'POST' });
  }

  async createBucket(name: string): Promise<void> {
    await fetch(`${this.endpoint}/${name}`, { method: 'PUT' });
  }

  /** The contents of all objects of a bucket by key. */
  async objects(bucket: string): Promise<Map<string, string>> {
    const list = await (await fetch(`${this.endpoint}/${bucket}?list-type=2`)).text();
    const keys = [...list.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
    // The server does not verify the signature, but an object is private.
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/s3/aws4_request' };
    const read = async (key: string) => (await fetch(`${this.endpoint}/${bucket}/${key}`, { headers })).text();
    const contents = keys.map(async (key) => [key, await read(key)] as const);
    return new Map(await Promise.all(contents));
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.child.once('exit', done));
    this.child.kill('SIGKILL');
    await ended;
  }
}
