import { readFile } from 'node:fs/promises';
import { isProvenIggy } from '@libs/domain/iggy-releases';
import { BrokerError } from '../../../control/broker-error.js';
import type { Address, GateUpstream, UpstreamReport } from '../../../gate/gate-upstream.js';
import type { ClientLogins } from '../../../gate/logins/client-logins.js';
import { reasonOf } from '../../../os/json-log.js';
import { nodeFlag, type NodeHome } from '../../../control/node-home.js';
import { endProcesses } from '../../../os/end-processes.js';
import { IGGY_FILES } from '../iggy-files.js';
import type { Account } from './frame-filter.js';
import { clientAccount } from './iggy-accounts.js';
import { IggyServer, type Listener, type RunningServer } from '../server/iggy-server.js';
import type { IggyAdmin } from '../server/iggy-admin.js';
import { gaugesOf } from '../server/iggy-gauges.js';
import { partitionsOf, unreadable } from '../server/iggy-partitions.js';
import { isLeader } from './iggy-cluster.js';
import { ensureClients, findClients, type UsableAccount } from './iggy-users.js';
import { DiskGuard } from './disk-guard.js';
import { UnansweredWrites } from './unanswered-writes.js';

const TICKS_PER_SECOND = 100;

/** Secrets of the accounts at the server. */
export interface IggySecrets {
  root: Account;
  /** See clientAccount. */
  clients: string;
}

/** The server of the node. */
export interface ServerIdentity {
  release: string;
  /** Its name in its cluster. Null: the node is alone. */
  member: string | null;
}

/** The users at one server process that the gate has made usable. */
interface Prepared {
  pid: number;
  /** By the name of the first user of the account. */
  users: Map<string, UsableAccount>;
}

/** The iggy-server of a node, as its gate uses it. Its clients sign in as users that the gate creates. */
export class IggyUpstream implements GateUpstream {
  readonly writes = new UnansweredWrites();
  readonly disk: DiskGuard;
  private readonly server: IggyServer;
  private prepared: Prepared | null = null;
  private client: { at: IggyAdmin; username: string; admin: IggyAdmin } | null = null;
  /** The server process that may serve clients. */
  private checkedPid = 0;
  /** Preparations run one after the other, so that two of them cannot create the same user. */
  private preparing: Promise<unknown> = Promise.resolve();

  constructor(
    home: NodeHome,
    private readonly identity: ServerIdentity,
    private readonly secrets: IggySecrets,
    private readonly logins: ClientLogins,
  ) {
    this.server = new IggyServer(home, secrets.root);
    this.disk = new DiskGuard(IGGY_FILES.data(home), () => this.endServer(home));
  }

  accountOf(password: string): Account {
    const account = clientAccount(this.secrets.clients, password);
    return this.prepared?.users.get(account.username) ?? account;
  }

  /** Null also before the users of clients exist: a client that connects then would be refused for its credentials. */
  async find(listener: Listener = 'tcp'): Promise<Address | null> {
    const running = await this.server.running().catch(() => null);
    if (running === null || (await this.misfit(running)) !== null) return null;
    await this.prepare(running);
    return this.server.address(listener);
  }

  async report(): Promise<UpstreamReport | null> {
    const running = await this.server.running();
    if (running === null) return null;
    const reason =
      (await this.misfit(running)) ??
      (await this.prepare(running).then(() => null, reasonOf)) ??
      this.disk.reason ??
      this.stall();
    return {
      pid: running.record.pid,
      startedAt: running.record.started_at,
      version: running.stats.iggy_server_version,
      configHash: running.record.config_hash,
      ready: reason === null,
      reason,
    };
  }

  async stats(): Promise<Record<string, number>> {
    const running = await this.server.running();
    if (running === null) return {};
    return { ...gaugesOf(running.stats), cpu_seconds: await cpuSeconds(running.record.pid) };
  }

  /** Creates the user of a new password, and ends the user of an ended one. Does nothing while no server runs. */
  async applyLogins(): Promise<void> {
    const running = await this.server.running();
    if (running !== null) await this.prepare(running);
  }

  /** The address for programs of the node. Null also while nothing may be stored: a connector stores whatever it has. */
  async findForNode(listener: Listener): Promise<Address | null> {
    return this.disk.isOpen ? this.find(listener) : null;
  }

  /** The server as the user of the current password. Null while it serves no clients. */
  async ofClients(): Promise<IggyAdmin | null> {
    const running = await this.server.running();
    if (running === null || (await this.misfit(running)) !== null) return null;
    await this.prepare(running);
    const account = this.accountOf(this.logins.current.password);
    // A sign-in for each request would be slow.
    if (this.client?.at !== running.admin || this.client.username !== account.username)
      this.client = { at: running.admin, username: account.username, admin: running.admin.as(account) };
    return this.client.admin;
  }

  /** Whether a token of this user is good: the user belongs to a password that is good now. */
  isUser(id: number): boolean {
    const names = this.accepted().map(({ username }) => username);
    return names.some((name) => this.prepared?.users.get(name)?.id === id);
  }

  /**
   * Why the server must not serve clients, judged once for each process. Null: it may. A server that ignores a setting of the node may
   * lose messages. A proven server with a torn segment acknowledges messages that nobody can read; servers of a cluster compare
   * their data themselves.
   */
  private async misfit({ record, stats, admin }: RunningServer): Promise<string | null> {
    if (this.checkedPid === record.pid) return null;
    const ignored = await this.server.ignoredKeys(record, stats.iggy_server_version);
    if (ignored.length > 0) return `iggy-server does not use these settings: ${ignored.sort().join(', ')}`;
    const [torn] = isProvenIggy(this.identity.release) ? await unreadable(admin, await partitionsOf(admin)) : [];
    if (torn)
      return `the data is damaged: stream ${torn.stream}, topic ${torn.topic}, partition ${torn.id}. Restore a backup.`;
    this.checkedPid = record.pid;
    return null;
  }

  /** Only servers of proven releases end: no other start repairs its data. */
  private async endServer(home: NodeHome): Promise<void> {
    if (isProvenIggy(this.identity.release)) await endProcesses({ name: nodeFlag(home) }, { graceMs: 0 });
  }

  /** Null: the server answers. The text has no counts, because a node reports each change of its reason. */
  private stall(): string | null {
    if (!this.writes.areStalled) return null;
    const cause = this.identity.member === null ? '' : ' Too few servers of the cluster may run.';
    return `iggy-server takes writes of clients and does not answer them.${cause}`;
  }

  private prepare(running: RunningServer): Promise<void> {
    const work = this.preparing.then(() => this.prepareNow(running));
    this.preparing = work.catch(() => undefined);
    return work;
  }

  private async prepareNow({ record, admin }: RunningServer): Promise<void> {
    const accounts = this.accepted();
    const names = accounts.map(({ username }) => username);
    const isSame = names.join() === [...(this.prepared?.users.keys() ?? [])].join();
    if (isSame && this.prepared?.pid === record.pid) return;
    const usable = await this.usersFor(admin, accounts).catch((error: unknown) => {
      throw new BrokerError(`the users of clients cannot be prepared: ${reasonOf(error)}`);
    });
    const users = new Map(names.flatMap((name, index) => (usable[index] ? [[name, usable[index]]] : [])));
    this.prepared = { pid: record.pid, users };
  }

  private accepted(): Account[] {
    return this.logins.accepted().map(({ password }) => clientAccount(this.secrets.clients, password));
  }

  /** All nodes of a cluster have the same accounts. The gate of the leader creates the users, and the others wait for them. */
  private async usersFor(admin: IggyAdmin, accounts: Account[]): Promise<UsableAccount[]> {
    const { member } = this.identity;
    if (member === null || (await isLeader(admin, member))) return ensureClients(admin, accounts);
    const users = await findClients(admin, accounts);
    if (users === null) throw new BrokerError('the leader of the cluster has not created them yet');
    return users;
  }
}

/** User and system time of the server. 0 where the system does not report it. */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0] = fields.slice(11, 13).map(Number);
  return (user + system) / TICKS_PER_SECOND;
}
