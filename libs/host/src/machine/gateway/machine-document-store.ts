import { join } from 'node:path';
import { readFileIfAny, writePrivateFile } from '../../os/private-file.js';
import type { MachineId } from '@libs/domain';
import {
  AGENT_TRIAL_SECONDS,
  NODES_OF_A_MACHINE,
  type MachineDocument,
  type MachineNode,
} from '@libs/domain/machine-protocol';

/** Why a document is refused. */
export type DocumentRefusal = 'malformed' | 'other_machine' | 'too_many_nodes';

/** The newest document. It is durable before any use, so that the nodes also start while the gateway is down. */
export class MachineDocumentStore {
  private readonly path: string;
  private held: MachineDocument | null = null;

  constructor(
    dir: string,
    private readonly machineId: MachineId,
  ) {
    this.path = join(dir, 'document.json');
  }

  get document(): MachineDocument | null {
    return this.held;
  }

  /** Reads the document of an earlier start. An unreadable file counts as missing, because the gateway has the document. */
  async load(): Promise<void> {
    try {
      const document = completed(JSON.parse((await readFileIfAny(this.path)) ?? 'null') as MachineDocument);
      if (refusalOf(document, this.machineId) === null) this.held = document;
    } catch {
      this.held = null;
    }
  }

  /**
   * Checks a document, and stores it. Returns null, or why the document is refused. A smaller generation is accepted: the database of the
   * gateway was restored to an earlier time.
   */
  async take(sent: MachineDocument): Promise<DocumentRefusal | null> {
    const document = completed(sent);
    const refusal = refusalOf(document, this.machineId);
    if (refusal !== null) return refusal;
    await writePrivateFile(this.path, JSON.stringify(document));
    this.held = document;
    return null;
  }
}

/** A gateway of an earlier release does not send these members. */
const completed = (document: MachineDocument): MachineDocument =>
  document && { ...{ agent_attempt: 0, agent_trial_seconds: AGENT_TRIAL_SECONDS }, ...document };

function refusalOf(
  document: Partial<MachineDocument> | null | undefined,
  machineId: MachineId,
): DocumentRefusal | null {
  if (!document || !Number.isSafeInteger(document.generation) || !Array.isArray(document.nodes)) return 'malformed';
  const { agent, ...others } = document.programs ?? {};
  if (![agent, ...Object.values(others)].every(isProgram) || !document.nodes.every(isNode)) return 'malformed';
  if (![document.agent_attempt, document.agent_trial_seconds].every(Number.isSafeInteger)) return 'malformed';
  if (document.machine_id !== machineId) return 'other_machine';
  return document.nodes.length > NODES_OF_A_MACHINE ? 'too_many_nodes' : null;
}

/** The ids become names of directories, units and users. */
function isNode(node: Partial<MachineNode> | null): boolean {
  if (!node) return false;
  const numbers = [node.node_id, node.incarnation, node.memory_mib, node.disk_gib];
  const arePositive = numbers.every((number) => Number.isSafeInteger(number) && (number ?? 0) >= 0);
  const hasPorts =
    Array.isArray(node.ports) && node.ports.every((port) => Number.isInteger(port) && port > 0 && port < 65_536);
  const isKnown =
    ['present', 'absent'].includes(node.intent ?? '') && ['embedded', 'nats', 'iggy'].includes(node.broker ?? '');
  return arePositive && hasPorts && isKnown && typeof node.cpus === 'number' && typeof node.token === 'string';
}

/** The hash and the entry become parts of paths. */
function isProgram(program: { sha256?: unknown; entry?: unknown } | null | undefined): boolean {
  const { sha256, entry } = program ?? {};
  const isHash = typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256);
  return (
    isHash && typeof entry === 'string' && /^[\w.+-]+(\/[\w.+-]+)*$/.test(entry) && !entry.split('/').includes('..')
  );
}
