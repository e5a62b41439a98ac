/**
 * Work that a node does once, as against the state that it converges on: freeze its data for a backup, take data back, tell
 * about itself. Orders are part of the document; an agent carries out each one to its end at most once, remembers in its
 * journal what came of it, and tells it with every status until the document no longer lists the order.
 */
export const NODE_ORDER_KINDS = [
  /** Freeze the data directory for a moment and upload it as part `data`. */
  'archive_data',
  /** Download part `data`, prove it whole, and put it in the place of the data directory; the broker is stopped. */
  'restore_data',
  /** Put the data directory back that a restore took away; the broker is stopped. Done when there is none. */
  'revert_data',
  /** Delete what a restore took away. */
  'settle_data',
  /** Collect what tells about the node's health and upload it as part `diagnostics`. */
  'collect_diagnostics',
] as const;
export type NodeOrderKind = (typeof NODE_ORDER_KINDS)[number];

/** Parts of an order that travel as streams of their own, by the object routes. */
export const ORDER_PARTS = ['data', 'diagnostics'] as const;
export type OrderPart = (typeof ORDER_PARTS)[number];

export interface NodeOrder {
  id: number;
  kind: NodeOrderKind;
  /** What is expected of the parts to download, by name; empty for orders that upload. */
  parts: Partial<Record<OrderPart, { sha256: string; size_bytes: number }>>;
  /**
   * Of `collect_diagnostics`: what is masked or left out. Of restores: names the one that `restore_data`, `revert_data` and
   * `settle_data` belong to, so that none touches what another put aside.
   */
  options: { redact_secrets?: boolean; include_data?: boolean; restore?: number };
}

/** What came of an order. `failed` is final: whoever wants it tried again gives a new order. */
export interface OrderReport {
  id: number;
  status: 'done' | 'failed';
  /** For people; null when done. */
  error: string | null;
  /** What was uploaded. */
  parts: Partial<Record<OrderPart, { sha256: string; size_bytes: number }>>;
}

/** What bounds a node's part of a diagnostic snapshot. */
export const DIAGNOSTICS_LIMITS = {
  /** Last lines of each runtime. */
  linesPerRuntime: 2_000,
  /** Files and directories of the data directory that are named. */
  dataEntries: 500,
  /** Bytes of the part as it is uploaded: gzipped JSON. */
  packedBytes: 32 * 1024 * 1024,
  /** Bytes of it unpacked, that a reader takes. */
  unpackedBytes: 128 * 1024 * 1024,
} as const;
