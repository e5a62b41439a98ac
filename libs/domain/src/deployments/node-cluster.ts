/** One node of a cluster whose servers tell clients and each other where all nodes are. */
export interface ClusterMember {
  name: string;
  /** Where the other nodes connect. */
  host: string;
  /** Where clients connect. */
  client_host: string;
  /** The ports for clients, and the port for the other nodes. */
  ports: { tcp: number; http: number; peer: number };
}

/** The place of a node in its deployment, and the other nodes that it connects to. */
export interface NodeCluster {
  size: number;
  /** 1 to size. Node 1 leads an embedded cluster. */
  ordinal: number;
  /** Where the leader takes forwarded connections. Null on the leader itself. */
  leader: { host: string; port: number } | null;
  /** Where the other nodes take routes, by ordinal. Absent for a driver whose nodes do not connect to each other. */
  peers?: { host: string; port: number }[];
  /** All nodes of a cluster of iggy, by ordinal. Equal in the documents of all nodes. Absent for every other broker. */
  members?: ClusterMember[];
  /** Secret that only the nodes of one deployment share. It authenticates the connections between them. */
  secret: string;
}
