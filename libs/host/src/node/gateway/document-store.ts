import { join } from 'node:path';
import type { NodeDocument, NodeSpec, NodeId } from '@libs/domain';
import { readFileIfAny, writePrivateFile } from '../../os/private-file.js';

export type Verdict = 'accepted' | 'unchanged' | Refusal;

/** Why a document is refused. */
export interface Refusal {
  reason: 'other_node' | 'older_timeline' | 'older_generation' | 'same_generation_other_hash' | 'malformed';
}

interface Stored {
  document: NodeDocument;
  server_offset_ms: number;
}

/** The newest document. It is written to disk before any use, so that a node can start with it while the gateway is down. */
export class DocumentStore {
  private readonly path: string;
  private stored: Stored | null = null;

  constructor(
    dir: string,
    private readonly nodeId: NodeId,
  ) {
    this.path = join(dir, 'document.json');
  }

  get document(): NodeDocument | null {
    return this.stored?.document ?? null;
  }

  /** The clock offset of the server when the document arrived. 0 without a document. */
  get serverOffsetMs(): number {
    return this.stored?.server_offset_ms ?? 0;
  }

  /** Reads the document of an earlier agent. An unreadable file counts as missing, because the gateway has the document. */
  async load(): Promise<void> {
    const content = await readFileIfAny(this.path);
    if (content === null) return;
    try {
      const stored = JSON.parse(content) as Stored;
      if (validateDocument(null, stored.document, this.nodeId) === 'accepted') this.stored = stored;
    } catch {
      this.stored = null;
    }
  }

  /** Checks a document. When it is accepted, resolves only after it is durable. */
  async offer(document: NodeDocument, serverOffsetMs: number): Promise<Verdict> {
    const verdict = validateDocument(this.document, document, this.nodeId);
    if (verdict !== 'accepted') return verdict;
    const stored = { document, server_offset_ms: serverOffsetMs };
    await writePrivateFile(this.path, JSON.stringify(stored));
    this.stored = stored;
    return verdict;
  }
}

/**
 * A higher timeline (the database was restored) wins with any generation. On the same timeline the generation must grow. The
 * same generation with other content means that two writers disagree. The document is refused until the generation grows.
 */
export function validateDocument(current: NodeDocument | null, offered: NodeDocument, nodeId: NodeId): Verdict {
  if (!isDocument(offered)) return { reason: 'malformed' };
  if (offered.node_id !== nodeId || offered.spec.node_id !== nodeId) return { reason: 'other_node' };
  return current === null ? 'accepted' : compare(current, offered);
}

function compare(current: NodeDocument, offered: NodeDocument): Verdict {
  if (offered.timeline !== current.timeline) {
    return offered.timeline > current.timeline ? 'accepted' : { reason: 'older_timeline' };
  }
  if (offered.generation > current.generation) return 'accepted';
  if (offered.generation < current.generation) return { reason: 'older_generation' };
  return offered.hash === current.hash ? 'unchanged' : { reason: 'same_generation_other_hash' };
}

function isDocument(value: Partial<NodeDocument> | null | undefined): value is NodeDocument {
  if (!value) return false;
  const numbers = [value.timeline, value.generation, value.node_id];
  return numbers.every(Number.isSafeInteger) && typeof value.hash === 'string' && isSpec(value.spec);
}

function isSpec(spec: Partial<NodeSpec> | undefined): boolean {
  if (!spec) return false;
  const { broker, listen, cluster, credentials, access_rules } = spec;
  return [broker?.config, listen?.ports, cluster, credentials].every(Boolean) && Array.isArray(access_rules);
}
