import { overlap } from '../cidr.js';
import { readIpv4Network, type ReadRange } from './range.js';

/** The lengths of prefixes that a cloud allows for a network of a customer: the largest network and the smallest. */
const LENGTHS = { aws: [16, 28], gcp: [4, 29] } as const;

/** Networks that no host of a customer has: this network, loopback, link-local, multicast and reserved. */
const NOT_UNICAST = ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3'];

/** The IPv4 network of a customer at a cloud: unicast, without bits of hosts, of a size that the cloud allows. */
export function readPeerNetwork(cloud: keyof typeof LENGTHS, text: string): ReadRange {
  const read = readIpv4Network(text);
  if (read.fault !== undefined) return read;
  const special = NOT_UNICAST.find((network) => overlap(network, read.range));
  if (special !== undefined) return { fault: `must be a network of hosts, and ${special} is reserved` };
  const [shortest, longest] = LENGTHS[cloud];
  const bits = Number(read.range.split('/')[1]);
  if (bits >= shortest && bits <= longest) return read;
  return { fault: `must be a network from /${shortest} to /${longest}, as ${cloud} allows` };
}
