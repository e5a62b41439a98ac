import { readFile } from 'node:fs/promises';
import { brokerSettings } from '@libs/broker-config';
import { parse } from 'smol-toml';
import type { Address } from '../../../gate/gate-upstream.js';
import { isNobody } from '../../../control/ask-instance.js';
import type { NodeHome } from '../../../control/node-home.js';
import { readFileIfAny } from '../../../os/private-file.js';
import { dotted, misreportedKeys } from '../config/iggy-config-reported.js';
import type { TomlValue } from '../config/toml-text.js';
import type { Account } from '../gate/frame-filter.js';
import { IggyAdmin } from './iggy-admin.js';
import { IGGY_FILES, SERVER_FILES } from '../iggy-files.js';

/** The server that the agent started last. */
export interface ServerRecord {
  pid: number;
  /** ISO 8601. */
  started_at: string;
  /** Hash of the configuration that the server was started with. */
  config_hash: string;
  /** The keys of that configuration with their values. */
  rendered: Readonly<Record<string, TomlValue>>;
}

export type Listener = 'tcp' | 'http' | 'websocket';

/** The used members of `GET /stats`. Sizes are texts such as "67.89 KB". Times are in microseconds. */
export interface ServerStats {
  process_id: number;
  memory_usage: string;
  run_time: number;
  start_time: number;
  messages_size_bytes: string;
  streams_count: number;
  topics_count: number;
  partitions_count: number;
  segments_count: number;
  messages_count: number;
  clients_count: number;
  consumer_groups_count: number;
  threads_count: number;
  read_bytes: string;
  written_bytes: string;
  iggy_server_version: string;
}

/** A server of this node that was just verified. */
export interface RunningServer {
  record: ServerRecord;
  stats: ServerStats;
  admin: IggyAdmin;
}

/**
 * The iggy-server of a node. The server takes no lock and shares its ports, so nothing that it says alone proves that it is the
 * server of this node. It is, when its reported configuration was written after the start, and the process on its HTTP port is the
 * one that the agent started.
 */
export class IggyServer {
  private admin: IggyAdmin | null = null;

  constructor(
    private readonly home: NodeHome,
    private readonly root: Account,
  ) {}

  /** Null when no server of this node runs, or when its listeners are not open yet. Throws when one does not answer in time. */
  async running(): Promise<RunningServer | null> {
    const record = await this.record();
    const http = await this.address('http');
    if (record === null || http === null || !isAlive(record.pid)) return null;
    const admin = this.adminAt(http);
    try {
      if (!(await admin.ping())) return null;
      const stats = await admin.ask<ServerStats>('GET', '/stats');
      return stats.process_id === record.pid ? { record, stats, admin } : null;
    } catch (error) {
      // While the server of the node ends, another server at its port can answer.
      if (isNobody(error) || !isAlive(record.pid)) return null;
      throw error;
    }
  }

  async record(): Promise<ServerRecord | null> {
    const content = await readFileIfAny(IGGY_FILES.record(this.home));
    return content === null ? null : (JSON.parse(content) as ServerRecord);
  }

  /**
   * The rendered keys that the server does not use with their values. The server ignores keys that it does not know, and says nothing.
   */
  async ignoredKeys({ rendered }: ServerRecord, release: string): Promise<string[]> {
    const reported = await reportedConfig(IGGY_FILES.data(this.home));
    return misreportedKeys(brokerSettings('iggy', release), rendered, dotted(reported ?? {}));
  }

  /** The address that the system assigned to a listener. Null while it is not open. */
  async address(listener: Listener): Promise<Address | null> {
    return addressIn(await reportedConfig(IGGY_FILES.data(this.home)), listener);
  }

  private adminAt(at: Address): IggyAdmin {
    if (this.admin?.at.port !== at.port || this.admin.at.host !== at.host) this.admin = new IggyAdmin(at, this.root);
    return this.admin;
  }
}

/** The record of a server that was just started with this configuration. */
export const recordOf = (pid: number, config_hash: string, config: string): ServerRecord => ({
  pid,
  started_at: new Date().toISOString(),
  config_hash,
  rendered: dotted(parse(config)) as Record<string, TomlValue>,
});

/** The configuration that a server reports. Null before its listeners are open. The agent deletes the file before each start. */
export async function reportedConfig(data: string): Promise<Record<string, unknown> | null> {
  const text = await readFile(SERVER_FILES.reported(data), 'utf8').catch(() => null);
  try {
    return text === null ? null : parse(text);
  } catch {
    // Only a part of the file is written yet.
    return null;
  }
}

/** The address of a listener in a reported configuration. Null while it is not open. */
export function addressIn(config: Record<string, unknown> | null, listener: Listener): Address | null {
  const section = (config?.[listener] ?? {}) as { enabled?: boolean; address?: string };
  return section.enabled === false ? null : addressOf(section.address);
}

/** Null for a port that is not assigned. */
function addressOf(text: string | undefined): Address | null {
  const [, host, port] = /^(.+):([1-9]\d*)$/.exec(text ?? '') ?? [];
  return host === undefined ? null : { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
