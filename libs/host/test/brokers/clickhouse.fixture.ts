import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually, freePorts } from '@libs/testing';

const FOLDER = resolve('.landlord/packages/clickhouse-server');
const PROGRAM = join(FOLDER, 'usr/sbin/clickhouse-server');
/** Debian's names of the folders, for any processor. */
const LIBRARIES = ['usr/lib', 'lib'].flatMap((name) => folders(join(FOLDER, name))).join(':');
const PASSWORD = 'of clickhouse';

/** Whether `npm run database:clickhouse` has downloaded the server of Debian. */
export const hasClickhouse = (): boolean => existsSync(PROGRAM);

/** A real ClickHouse server with an empty database. */
export class ClickhouseServer {
  readonly password = PASSWORD;

  private constructor(
    private readonly child: ChildProcess,
    private readonly dir: string,
    readonly url: string,
  ) {}

  static async start(): Promise<ClickhouseServer> {
    const dir = await mkdtemp(join(tmpdir(), 'landlord-clickhouse-'));
    const [http = 0, tcp = 0] = await freePorts(2);
    await writeFile(join(dir, 'config.xml'), configOf(dir, http, tcp));
    await writeFile(join(dir, 'users.xml'), USERS);
    const env = { LD_LIBRARY_PATH: LIBRARIES };
    const child = spawn(PROGRAM, [`--config-file=${join(dir, 'config.xml')}`], { cwd: dir, env, stdio: 'ignore' });
    const server = new ClickhouseServer(child, dir, `http://127.0.0.1:${http}`);
    await eventually('ClickHouse answers', () =>
      fetch(server.url).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return server;
  }

  /** The text of an answer. Rejects with the text of an exception. */
  async query(statement: string): Promise<string> {
    const headers = { 'x-clickhouse-user': 'default', 'x-clickhouse-key': PASSWORD };
    const answer = await fetch(this.url, { method: 'POST', headers, body: statement });
    const text = await answer.text();
    if (!answer.ok) throw new TypeError(text);
    return text.trim();
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
    await rm(this.dir, { recursive: true, force: true });
  }
}

function folders(path: string): string[] {
  return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [];
}

const USERS = `<yandex><profiles><default></default></profiles><quotas><default></default></quotas><users><default>
<password>${PASSWORD}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
</default></users></yandex>`;

const configOf = (dir: string, http: number, tcp: number): string => `<yandex>
<logger><level>error</level><log>${dir}/server.log</log><errorlog>${dir}/error.log</errorlog></logger>
<http_port>${http}</http_port><tcp_port>${tcp}</tcp_port><listen_host>127.0.0.1</listen_host>
<path>${dir}/data/</path><tmp_path>${dir}/tmp/</tmp_path><users_config>${dir}/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>5368709120</mark_cache_size></yandex>`;
