import type { NodeId, NodeOrderId } from './ids.js';

/**
 * One-time work of a node, in contrast to the state that the node converges on: archive its data for a backup, restore
 * data, collect diagnostics. Orders are part of the document. An agent executes each order at most once and stores the
 * result in its journal. The agent reports the result with every status until the document no longer lists the order.
 */
export const NODE_ORDER_KINDS = [
  /** Freezes the data directory briefly and uploads it as part `data`. */
  'archive_data',
  /**
   * Freezes the data directory, and keeps the frozen copy on the disk until the order is withdrawn: the provider takes a snapshot of
   * the disk. The part `data` of the result is the digest and the size of its list of files. Nothing is uploaded.
   */
  'freeze_data',
  /**
   * Downloads part `data`, verifies it, and replaces the data directory with it. The broker is stopped. With the option `disk`, the
   * machine agent copies the data from the disk, and `data` is the result of `freeze_data`.
   */
  'restore_data',
  /** Puts back the data directory that a restore replaced. The broker is stopped. `done` if no restore replaced one. */
  'revert_data',
  /** Deletes the data directory that a restore replaced. */
  'settle_data',
  /** Collects data about the health of the node and uploads it as part `diagnostics`. */
  'collect_diagnostics',
] as const;
export type NodeOrderKind = (typeof NODE_ORDER_KINDS)[number];

/** Parts of an order that have their own streams on the object routes. */
export const ORDER_PARTS = ['data', 'diagnostics'] as const;
export type OrderPart = (typeof ORDER_PARTS)[number];

export interface NodeOrder {
  id: NodeOrderId;
  kind: NodeOrderKind;
  /** Expected hash and size of the parts to download, by name. Empty for orders that upload. */
  parts: Partial<Record<OrderPart, { sha256: string; size_bytes: number }>>;
  /**
   * For `collect_diagnostics`: the data that is masked or left out. For restores: the id of the restore that
   * `restore_data`, `revert_data` and `settle_data` belong to. So no order changes data that another restore set aside.
   */
  options: { redact_secrets?: boolean; include_data?: boolean; restore?: number; disk?: SourceDisk };
}

/** A disk of the machine that has the frozen data of a node. */
export interface SourceDisk {
  /** Path of the disk below /dev/disk/by-id. */
  device: string;
  /** The node whose data it is. */
  node_id: NodeId;
}

/** Where the machine agent puts the data for an order with a disk: a directory, or a file with the reason of a failure. */
export const copiedData = (order: NodeOrderId) => ({ directory: `copied-${order}`, failure: `copied-${order}.failed` });

/** The result of an order. `failed` is final: a retry needs a new order. */
export interface OrderReport {
  id: NodeOrderId;
  status: 'done' | 'failed';
  /** Message for people; null when done. */
  error: string | null;
  /** Hash and size of the uploaded parts. */
  parts: Partial<Record<OrderPart, { sha256: string; size_bytes: number }>>;
}

/** Limits of the part that a node adds to a diagnostic snapshot. */
export const DIAGNOSTICS_LIMITS = {
  /** Last lines of each runtime. */
  linesPerRuntime: 2_000,
  /** Listed files and directories of the data directory. */
  dataEntries: 500,
  /** Bytes of the part as uploaded: gzipped JSON. */
  packedBytes: 32 * 1024 * 1024,
  /** Decompressed bytes that a reader accepts. */
  unpackedBytes: 128 * 1024 * 1024,
} as const;
