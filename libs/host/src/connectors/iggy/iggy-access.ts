import { createHash } from 'node:crypto';
import { BrokerError } from '../../control/broker-error.js';
import { GateControl } from '../../gate/gate-control.js';
import type { Address } from '../../gate/gate-upstream.js';
import type { Account } from '../../brokers/iggy/gate/frame-filter.js';
import { IggyServer } from '../../brokers/iggy/server/iggy-server.js';
import type { NodeHome } from '../../control/node-home.js';
import { CONNECTORS_FILES } from '../connectors-files.js';
import { ensureToken } from './connectors-token.js';

const LOOPBACK = '127.0.0.1';

/** Accounts at the iggy-server of the node. */
export interface IggyAccounts {
  root: Account;
  connectors: Account;
}

/** How the connectors reach the server, and sign in. */
export interface IggyWay {
  tcp: Address;
  http: Address;
  token: string;
  /** Changes exactly when connections must be opened again. */
  hash: string;
}

/** The way of the connectors to the server of their node: through the ports of the gate that stay, with a token of their own user. */
export class IggyAccess {
  private readonly server: IggyServer;
  private readonly gate: GateControl;
  private known: { pid: number; token: string } | null = null;

  constructor(
    private readonly home: NodeHome,
    private readonly accounts: IggyAccounts,
  ) {
    this.server = new IggyServer(home, accounts.root);
    // Without an entry file: only asks a gate that runs.
    this.gate = new GateControl(home, '');
  }

  /** Checks the token once for each process of the server. Rejects with BrokerError while the broker does not run. */
  async way(): Promise<IggyWay> {
    const [running, ports] = await Promise.all([this.server.running(), this.gate.nodePorts()]);
    const { tcp, http } = ports ?? {};
    if (running === null || tcp === undefined || http === undefined) throw new BrokerError('the broker does not run');
    const { pid } = running.record;
    if (this.known?.pid !== pid)
      this.known = {
        pid,
        token: await ensureToken(running, this.accounts.connectors, CONNECTORS_FILES.token(this.home)),
      };
    const { token } = this.known;
    const hash = createHash('sha256').update(`${tcp} ${http} ${token}`).digest('hex');
    return { tcp: { host: LOOPBACK, port: tcp }, http: { host: LOOPBACK, port: http }, token, hash };
  }

  /** The token was refused: checks it again at the next call. */
  forget(): void {
    this.known = null;
  }
}
