/** Data of another deployment that the node takes over. It is encrypted with `key`; null: it is not encrypted. */
export interface DataSource {
  key: string | null;
}

/** The optional members of the broker in a document. A member is absent when it does not apply, so that hashes stay equal. */
export interface NodeBrokerLimits {
  /** The resources that the broker may use, enforced on the node. Absent for a node that is older than this member. */
  limits?: { memory_mib: number; storage_mib: number };
  /** Bytes of PUBLISH packets from clients of all nodes of the deployment. Absent without a limit. */
  rate_limit?: { bytes_per_second: number };
  /** The key of the deployment for its stored data: 32 bytes, base64. Absent: the data is not encrypted. */
  encryption?: { key: string; source?: DataSource };
  /**
   * Password of the root user in the data of another deployment that the node takes over. Only for iggy. Absent: the node takes over
   * no such data.
   */
  copied_root?: string;
}
