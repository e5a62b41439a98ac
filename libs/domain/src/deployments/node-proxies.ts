/** Proxies between clients and the gate of a node. */
export interface NodeProxies {
  /**
   * Networks of proxies, IPv4 or IPv6, in CIDR notation. A connection from there must begin with a header of the PROXY protocol,
   * version 2, and the access rules apply to the address in the header. Absent without such proxies.
   */
  proxies?: string[];
}
