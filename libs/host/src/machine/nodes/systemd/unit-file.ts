import { AGENT_NODE_OPTIONS } from '@libs/domain/agent-protocol';
import type { MachineNode } from '@libs/domain/machine-protocol';

/** What the unit of a node contains. All paths are absolute. */
export interface NodeUnit {
  node: Pick<MachineNode, 'node_id' | 'memory_mib' | 'cpus'>;
  user: string;
  /** The node's directory. */
  dir: string;
  /** The program of Node.js. */
  program: string;
  /** Entry file of the agent. */
  entry: string;
  /** Flag of the node's processes. */
  flag: string;
  /** Path of the authority of the gateway, or null. */
  authority: string | null;
}

/** Addresses at which clouds answer with the credentials of a machine. */
const METADATA_ADDRESSES = ['169.254.169.254', 'fd00:ec2::254'];
const LOG_LIMIT_BYTES = 5 * 1024 * 1024;

/**
 * Runs as the user of the node, so that a link in the node's directory cannot make a process of root write elsewhere. `$$` is a `$` for
 * the shell.
 */
const START = [
  'umask 077',
  `if [ -f agent.log ] && [ "$$(stat -c %%s agent.log)" -gt ${LOG_LIMIT_BYTES} ]; then mv -f agent.log agent.log.1; fi`,
  'exec "$$0" "$$@" >>agent.log 2>&1',
].join('; ');

/** Without these, a broken agent can use the rights of the host. `systemd-analyze security` checks the result. */
const HARDENING = [
  'NoNewPrivileges=yes',
  'CapabilityBoundingSet=',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'ProtectProc=invisible',
  'ProtectClock=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'ProtectControlGroups=yes',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'LockPersonality=yes',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  // AF_NETLINK: Node.js and the brokers list the addresses of the host.
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
  'RemoveIPC=yes',
  'KeyringMode=private',
  'UMask=0077',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallFilter=~@privileged',
  'SystemCallErrorNumber=EPERM',
];

/**
 * The unit of a node. `KillMode=process`: brokers survive a restart of the agent. `OOMPolicy=continue`: the agent restarts a broker that
 * the kernel ended for its memory.
 */
export function unitOf({ node, user, dir, program, entry, flag, authority }: NodeUnit): string {
  const command = ['/bin/sh', '-c', START, program, ...AGENT_NODE_OPTIONS, entry, '--dir', dir, flag]
    .map(quoted)
    .join(' ');
  return [
    '# Written by the machine agent of Landlord. Changes are lost.',
    '[Unit]',
    `Description=Landlord node ${node.node_id}`,
    'StartLimitIntervalSec=0',
    '[Service]',
    'Type=exec',
    `ExecStart=${command}`,
    `WorkingDirectory=${dir}`,
    `User=${user}`,
    `Group=${user}`,
    ...(authority === null ? [] : [`Environment=${quoted(`NODE_EXTRA_CA_CERTS=${authority}`)}`]),
    'Restart=always',
    'RestartSec=2',
    'KillMode=process',
    'TimeoutStopSec=20',
    'OOMPolicy=continue',
    `MemoryMax=${node.memory_mib}M`,
    'MemorySwapMax=0',
    `CPUQuota=${Math.max(Math.round(node.cpus * 100), 1)}%`,
    'TasksMax=1024',
    'LimitNOFILE=1048576',
    `IPAddressDeny=${METADATA_ADDRESSES.join(' ')}`,
    `ReadWritePaths=${dir}`,
    ...HARDENING,
    '',
  ].join('\n');
}

/** A drop-in for the end of a node: a stop then ends all processes of the unit. */
export const END_DROP_IN = '[Service]\nKillMode=control-group\nTimeoutStopSec=5\n';

/** For the syntax of unit files. The caller escapes `$` and `%` where they have no meaning for systemd. */
const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
