import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { DIAGNOSTICS_LIMITS, type NodeDiagnostics } from '@libs/domain';
import { ObjectStore, ObjectStoreError } from '@libs/object-store';
import type { CollectedNode } from './collected-node.js';
import { diagnosticsSchema } from './diagnostics-schema.js';

/** The diagnostics of a node, or why they are missing. */
export type ReceivedDiagnostics = { received: NodeDiagnostics; missing: null } | { received: null; missing: string };

/** Reads the uploads of nodes. A damaged upload counts as missing and does not block the rest. */
@Injectable()
export class NodeBundles {
  constructor(private readonly store: ObjectStore) {}

  /** Rejects with ObjectStoreError only when a retry may help. */
  async read({ node_id: nodeId, diagnostics, missing }: CollectedNode): Promise<ReceivedDiagnostics> {
    if (diagnostics === null) return { received: null, missing: missing ?? 'it sent no data' };
    const packed = await this.store.get(diagnostics).catch((error: unknown) => {
      if (error instanceof ObjectStoreError && error.fault === 'missing') return null;
      throw error;
    });
    const text = packed && (await unpacked(packed));
    const received = text === null ? null : parsed(text);
    if (received?.node_id !== nodeId) return { received: null, missing: 'its data is not readable' };
    return { received, missing: null };
  }
}

/** Returns null for data that is not gzip, or that exceeds the limit after decompression. */
async function unpacked(packed: Readable): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    const gunzip = createGunzip();
    packed.once('error', (error) => gunzip.destroy(error));
    for await (const chunk of packed.pipe(gunzip) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > DIAGNOSTICS_LIMITS.unpackedBytes) return null;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    if (error instanceof ObjectStoreError) throw error;
    return null;
  } finally {
    packed.destroy();
  }
}

function parsed(text: string): NodeDiagnostics | null {
  try {
    return diagnosticsSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
