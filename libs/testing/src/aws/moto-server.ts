import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { eventually } from '../basics/eventually.js';
import { pythonWith } from '../python-with.js';

const VERSION = '5.2.5';
const PACKAGE = `moto[server,s3,ec2,elbv2,sts,iam,route53]==${VERSION}`;
/** In the cache folder of npm packages: it survives between runs and is not committed. */
const DIRECTORY = join(import.meta.dirname, '../../../../node_modules/.cache/moto', `${VERSION}-aws`);

/** An emulator of AWS from another project (Moto), for tests. Its credentials are any words. */
export class MotoServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly endpoint: string,
  ) {}

  /** Installs the program from its package index. Returns the reason if this is not possible. */
  static async install(): Promise<string | null> {
    return (await pythonWith(DIRECTORY, PACKAGE)).missing;
  }

  static async start(port: number): Promise<MotoServer> {
    const program = join(DIRECTORY, 'bin', 'python');
    const child = spawn(program, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
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
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }
}
